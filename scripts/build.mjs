/** npm run build: the dashboard, the only part of browserd that is built. `npm start` does it too when it must. */
import { ensureDashboard } from './lib/dashboard.mjs';
import { program } from './lib/program.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async () => ((await ensureDashboard(await setUp({ browsers: false }))) ? 0 : 1));
