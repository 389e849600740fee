import { readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { packagedNodeRuns } from './node-26.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { Problem, root, say } from './program.mjs';
import { run } from './run.mjs';

/**
 * node_modules is right when npm's own record of it (node_modules/.package-lock.json, written last) agrees with
 * package-lock.json. So an `npm install` by hand counts as well as ours, and an interrupted one does not.
 */
export function agrees(lock, record) {
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link) return true;
    const present = record.packages?.[path];
    // Packages for other platforms are optional and rightly absent.
    if (!present) return wanted.optional === true;
    return present.version === wanted.version && present.integrity === wanted.integrity;
  });
}

const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
};

function areInstalled() {
  const lock = readJson(join(root, 'package-lock.json'));
  if (!lock)
    throw new Problem('package-lock.json is missing or broken. Restore it: git checkout package-lock.json');
  const record = readJson(join(root, 'node_modules/.package-lock.json'));
  return record !== null && agrees(lock, record);
}

/** npm must not run on the Node inside the node_modules that it is about to replace. */
export const outsideNodeModules = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .join(delimiter);

async function install(addOwner) {
  say('Installing the dependencies (npm ci); this happens once …');
  // Errors only: on an old Node npm warns of packages that are made for the newer one they will run on.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  args.push('--loglevel=error');
  const env = { ...process.env, PATH: outsideNodeModules(process.env.PATH ?? '') };
  const code = await run('npm', args, { env, onSpawn: addOwner });
  if (code !== 0)
    throw new Problem(
      `The dependencies could not be installed: npm ci ended with code ${code}; its message is above.\n` +
        'Is this machine offline, or behind a proxy? npm takes one by: npm config set proxy http://HOST:PORT\n' +
        'Then run the same command again.',
    );
  // npm puts node_modules/.bin first on the PATH of its scripts; a Node that cannot run here must not lie there.
  if (!packagedNodeRuns()) rmSync(join(root, 'node_modules/.bin/node'), { force: true });
}

export async function ensureDependencies() {
  if (areInstalled()) return;
  const onWait = (pid) => say(`Another set-up (process ${pid}) is at work in this folder; waiting for it …`);
  await oneAtATime(root, async (addOwner) => areInstalled() || install(addOwner), { onWait });
}
