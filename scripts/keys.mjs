/** npm run keys -- create|list|revoke: the operator's way to API keys. */
import { program } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async (args) =>
  run(await setUp({ browsers: false }), ['packages/server/src/programs/keys.ts', ...args]),
);
