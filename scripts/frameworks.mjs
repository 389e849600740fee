/**
 * npm run frameworks [-- --only TEXT]: other people's frameworks at a real service. Their packages are many, and needed here
 * alone: they have a folder and a lock of their own, which only this command installs.
 */
import { join } from 'node:path';
import { ensureInstalled } from './lib/dependencies.mjs';
import { program, root } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

const folder = join(root, 'packages/server/frameworks');

await program(async (args) => {
  const node = await setUp({ browsers: true });
  await ensureInstalled(folder, 'the frameworks');
  return run(node, [join(folder, 'frameworks.ts'), ...args]);
});
