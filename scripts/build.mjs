import { ensureDashboard } from './lib/dashboard.mjs';
import { program } from './lib/program.mjs';
import { setUp } from './lib/set-up.mjs';

/** npm run build: the dashboard, the only part of browserd that is built. `npm start` does it too when it must. */
await program(async () => ((await ensureDashboard(await setUp({ browsers: false }))) ? 0 : 1));
