/**
 * node_modules is right when npm's own record of it (node_modules/.package-lock.json, written last) agrees with
 * package-lock.json. So an `npm install` by hand counts as well as ours, and an interrupted one does not.
 */
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { packagedNodeRuns } from './node-26.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { Problem, root, say } from './program.mjs';
import { run } from './run.mjs';

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

function areInstalled(folder) {
  const path = join(relative(root, folder), 'package-lock.json');
  const lock = readJson(join(root, path));
  if (!lock) throw new Problem(`${path} is missing or broken. Restore it: git checkout ${path}`);
  const record = readJson(join(folder, 'node_modules/.package-lock.json'));
  return record !== null && agrees(lock, record);
}

/** npm must not run on the Node inside the node_modules that it is about to replace. */
export const outsideNodeModules = (path) =>
  path
    .split(delimiter)
    .filter((folder) => !/[/\\]node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .join(delimiter);

async function install(folder, what, addOwner) {
  say(`Installing ${what} (npm ci); this happens once …`);
  // Without their scripts: some would download a browser.
  // Errors only: on an old Node npm warns of packages that are made for the newer one they will run on.
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'];
  args.push('--loglevel=error');
  const env = { ...process.env, PATH: outsideNodeModules(process.env.PATH ?? '') };
  const code = await run('npm', args, { env, cwd: folder, onSpawn: addOwner });
  if (code !== 0)
    throw new Problem(
      `${what[0].toUpperCase()}${what.slice(1)} could not be installed: npm ci ended with code ${code}; its message is above.\n` +
        'Is this machine offline, or behind a proxy? npm takes one by: npm config set proxy http://HOST:PORT\n' +
        'Then run the same command again.',
    );
  // npm puts node_modules/.bin first on the PATH of its scripts; a Node that cannot run here must not lie there.
  if (!packagedNodeRuns()) rmSync(join(folder, 'node_modules/.bin/node'), { force: true });
}

/** Of a folder that has a lock of its own. */
export async function ensureInstalled(folder, what) {
  if (areInstalled(folder)) return;
  const onWait = (pid) => say(`Another set-up (process ${pid}) is at work in this folder; waiting for it …`);
  await oneAtATime(folder, async (addOwner) => areInstalled(folder) || install(folder, what, addOwner), {
    onWait,
  });
}

export const ensureDependencies = () => ensureInstalled(root, 'the dependencies');
