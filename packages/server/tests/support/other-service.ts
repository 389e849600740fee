import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Another build of the service, made of these sources with a few passages changed: a later version of it, or one that lacks a
 * protection, to see what that protects from.
 *
 *   packages/server ──copy──> a folder of its own ──changes──> bundled as `npm start` bundles it; all else by links
 */
export interface OtherService extends AsyncDisposable {
  /** What a node is started with. */
  service: string;
}

/** By the path of a source, from `packages/server/src`: a whole new file, or passages that stand in it once, and what becomes of them. */
export type Changes = Record<string, string | [passage: string, instead: string][]>;

const root = new URL('../../../..', import.meta.url).pathname.replace(/\/$/, '');
const run = promisify(execFile);

export async function buildService(changes: Changes): Promise<OtherService> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-other-'));
  await using failed = new AsyncDisposableStack();
  const remove = () => rm(folder, { recursive: true, force: true });
  failed.defer(remove);
  // Its workers may have another user, who must get through.
  await chmod(folder, 0o755);
  await copySources(folder);
  for (const [path, change] of Object.entries(changes))
    await changeSource(join(folder, 'packages/server/src', path), change);
  const service = join(folder, 'service.mjs');
  await run(process.execPath, [join(root, 'scripts/bundle-service.mjs'), folder, service]);
  failed.move();
  return { service, [Symbol.asyncDispose]: remove };
}

async function copySources(folder: string): Promise<void> {
  await mkdir(join(folder, 'packages/server'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const name of await readdir(join(root, 'packages')))
    if (name !== 'server') await symlink(join(root, 'packages', name), join(folder, 'packages', name));
  for (const name of ['src', 'view', 'package.json'])
    await cp(join(root, 'packages/server', name), join(folder, 'packages/server', name), {
      recursive: true,
      filter: (path) => !basename(path).endsWith('.test.ts'),
    });
}

/** A passage that is gone, or is there twice, is a change of the sources that the test has to follow. */
async function changeSource(path: string, change: Changes[string]): Promise<void> {
  if (typeof change === 'string') {
    await mkdir(dirname(path), { recursive: true });
    return await writeFile(path, change);
  }
  let text = await readFile(path, 'utf8');
  for (const [passage, instead] of change) {
    const times = text.split(passage).length - 1;
    if (times !== 1) throw new Error(`${path} has this ${times} times instead of once: ${passage}`);
    text = text.replace(passage, () => instead);
  }
  await writeFile(path, text);
}
