/**
 * The files a runner is made of, laid out (by lay-out.ts) and shown to every runner read-only. A copy, because the
 * runner's user may not be able to enter the folder that the service is installed in. It is kept for later starts in the
 * cache folder where there is one that can be trusted, and is the service's own until it ends where there is not.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '../../kit/log.ts';
import { ending } from '../../kit/own-source.ts';
import { engineFlags, type RunnerLimits, snapshotName } from '../box/box.ts';
import { nameOfToolbox } from './ingredients.ts';
import { shareToolbox } from './shared.ts';
import { openTrustedFolder } from './trusted-folder.ts';

export { traceViewerFolder } from './ingredients.ts';

export interface Toolbox {
  folder: string;
  seccomp: string;
  /** Runners can start from its snapshot. */
  hasSnapshot: boolean;
  /** False when it was taken away; open another. */
  isThere(): boolean;
  /** Ends the use of it. Removes it, unless it is shared. */
  close(): Promise<void>;
}

export interface ToolboxOptions {
  limits: RunnerLimits;
  /** The cache folder that services share; null keeps nothing. */
  cache: string | null;
  /** For a toolbox of the service's own. */
  parent: string;
  /** The runners' user is not the service's. */
  forAnotherUser: boolean;
  log?: Log;
  signal?: AbortSignal;
}

export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { limits, cache, parent, forAnotherUser, log, signal } = options;
  if (cache === null) return layOutToolbox(parent, limits, signal);
  try {
    const trusted = await openTrustedFolder(cache, forAnotherUser);
    const shared = await shareToolbox(trusted, nameOfToolbox(limits), (folder) =>
      fill(folder, limits, signal),
    );
    return toolboxIn(shared.folder, async () => shared[Symbol.dispose]());
  } catch (error) {
    signal?.throwIfAborted();
    log?.info({ reason: (error as Error).message, cache }, 'toolbox.not_kept');
    return layOutToolbox(parent, limits, signal);
  }
}

/** One that nothing else uses. */
export async function layOutToolbox(
  parent: string,
  limits: RunnerLimits,
  signal?: AbortSignal,
): Promise<Toolbox> {
  const folder = await mkdtemp(join(parent, 'toolbox-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await fill(folder, limits, signal);
    return toolboxIn(folder, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

function toolboxIn(folder: string, close: () => Promise<void>): Toolbox {
  const seccomp = join(folder, 'seccomp.bpf');
  const hasSnapshot = existsSync(join(folder, snapshotName));
  return { folder, seccomp, hasSnapshot, isThere: () => existsSync(seccomp), close };
}

/** In a process of its own: it takes a second of CPU. No user code is near it. */
async function fill(folder: string, limits: RunnerLimits, signal?: AbortSignal): Promise<void> {
  const program = join(import.meta.dirname, `lay-out${ending}`);
  await promisify(execFile)(
    process.execPath,
    [...engineFlags(limits), program, folder, JSON.stringify(limits)],
    {
      env: { HOME: folder },
      cwd: folder,
      signal,
    },
  );
}
