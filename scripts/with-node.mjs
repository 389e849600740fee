import { Problem, program } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

/** node scripts/with-node.mjs FILE …: runs a TypeScript file of the repository on the pinned Node. */
await program(async ([file, ...args]) => {
  if (!file) throw new Problem('Usage: node scripts/with-node.mjs FILE [arguments]');
  return run(await setUp({ browsers: false }), [file, ...args]);
});
