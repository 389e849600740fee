/**
 * node scripts/with-node.mjs [--chromium] FILE …: runs a TypeScript file of the repository on the pinned Node. With
 * `--chromium` whatever `npm start` would install is there first.
 */
import { Problem, program } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

await program(async (args) => {
  const browsers = args[0] === '--chromium';
  const [file, ...rest] = browsers ? args.slice(1) : args;
  if (!file) throw new Problem('Usage: node scripts/with-node.mjs [--chromium] FILE [arguments]');
  return run(await setUp({ browsers }), [file, ...rest]);
});
