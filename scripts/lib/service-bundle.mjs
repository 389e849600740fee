/**
 *   sources of the service, and packages that are ES modules ──rolldown──> one file, kept beside the dependencies
 *
 * Reading 700 files takes a start a third of a second longer than reading one. The bundle lies with a record of every file
 * that went into it; a start takes it only when each of them is still the very same file, and else runs the sources.
 */
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { oneAtATime } from './one-at-a-time.mjs';
import { root } from './program.mjs';
import { capture } from './run.mjs';

const bundles = 'node_modules/.cache/browserd-service';
export const serviceSource = 'packages/server/src/programs/main.ts';
/** Runs a file as the service: in its own process, or as one of several nodes below a witness. */
export const startSource = 'packages/server/src/programs/start.ts';

/** What an installation changes, and what decides how the bundle is made; paths as in a record. */
export const circumstances = [
  'node_modules/.package-lock.json',
  'package.json',
  'packages/mcp/package.json',
  'packages/server/package.json',
  'scripts/bundle-service.mjs',
  'scripts/lib/service-bundle.mjs',
];

/** The time of the last change (ctime) cannot be set by a program: an edit that restores size and mtime shows in it. */
export function signatureOf(folder, path) {
  const { ino, size, mtimeNs, ctimeNs } = statSync(join(folder, path), { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join();
}

/** A file system's clock has its own steps: of what changed just before, a later change may look the same. */
const settledNs = 2_000_000_000n;
export const isSettled = (signature, now = Date.now()) =>
  BigInt(signature.split(',')[3]) < BigInt(now) * 1_000_000n - settledNs;

/** The bundle, if there is one of exactly what is here now. */
export function freshBundle(folder = root) {
  try {
    const { file, inputs } = JSON.parse(readFileSync(join(folder, bundles, 'record.json'), 'utf8'));
    const bundle = join(folder, bundles, file);
    const isSame = ([path, signature]) => signatureOf(folder, path) === signature;
    return statSync(bundle).isFile() && Object.entries(inputs).every(isSame) ? bundle : undefined;
  } catch {
    return undefined;
  }
}

/** Fails where node_modules belongs to another user, before any work is done in vain. */
export function makeRoom(folder = root) {
  mkdirSync(join(folder, bundles), { recursive: true });
  accessSync(join(folder, bundles), constants.W_OK);
}

/** The record comes last, and both appear whole: a start finds a bundle that fits its record, or none. */
export function keepBundle(code, inputs, folder = root) {
  const home = join(folder, bundles);
  const file = `main-${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`;
  makeRoom(folder);
  for (const [name, text] of [
    [file, code],
    ['record.json', JSON.stringify({ file, inputs })],
  ]) {
    writeFileSync(join(home, `${name}.${process.pid}`), text);
    renameSync(join(home, `${name}.${process.pid}`), join(home, name));
  }
  // A service that runs an older one has read it whole.
  for (const name of readdirSync(home))
    if (name !== file && name !== 'record.json') rmSync(join(home, name), { force: true });
}

/** The fresh bundle, made if there is none; undefined where it cannot be made, and the sources have to do. */
export async function ensureBundle(node) {
  return (
    freshBundle() ??
    oneAtATime(join(root, bundles), async () => {
      if (!freshBundle()) await capture(node, ['scripts/bundle-service.mjs']);
      return freshBundle();
    })
  );
}
