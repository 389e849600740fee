/** npm run check: format, lint, types, structure and generated files. */
import { runChecks } from './lib/checks.mjs';
import { program } from './lib/program.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async () => {
  const failed = await runChecks(await setUp({ browsers: false }));
  return failed.length > 0 ? 1 : 0;
});
