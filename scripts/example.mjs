/** npm run example -- NAME …: runs an example on the pinned Node, with the key of a service started in this folder. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Problem, program, root } from './lib/program.mjs';
import { run } from './lib/run.mjs';
import { setUp } from './lib/set-up.mjs';

const names = () =>
  globSync('examples/*.ts', { cwd: root })
    .filter((path) => readFileSync(join(root, path), 'utf8').includes('npm run example'))
    .map((path) => basename(path, '.ts'))
    .sort();

function keyOfThisFolder() {
  const { BROWSERD_URL, BROWSERD_API_KEY } = process.env;
  const file = join(root, '.browserd/admin-key');
  if (BROWSERD_API_KEY || BROWSERD_URL || !existsSync(file)) return {};
  return { BROWSERD_API_KEY: readFileSync(file, 'utf8').trim() };
}

await program(async ([name, ...args]) => {
  if (!names().includes(name)) {
    const problem = name === undefined ? 'Which example?' : `There is no example ${name}.`;
    throw new Problem(`${problem} npm run example -- NAME, with one of: ${names().join(', ')}.`);
  }
  const env = { ...process.env, ...keyOfThisFolder() };
  return run(await setUp({ browsers: false }), [`examples/${name}.ts`, ...args], { env });
});
