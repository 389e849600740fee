/**
 * The files a runner is made of, laid out once (by lay-out.ts) and shown to every runner read-only. A copy, because
 * the runner's user may not be able to enter the folder that the service is installed in.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ending } from '../../kit/own-source.ts';
import { engineFlags, type RunnerLimits } from '../box/box.ts';

export interface Toolbox {
  folder: string;
  seccomp: string;
  remove(): Promise<void>;
}

/** In a process of its own: it takes a second of CPU. No user code is near it. */
export async function layOutToolbox(
  parent: string,
  limits: RunnerLimits,
  signal?: AbortSignal,
): Promise<Toolbox> {
  const folder = await mkdtemp(join(parent, 'toolbox-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const program = join(import.meta.dirname, `lay-out${ending}`);
  try {
    await promisify(execFile)(process.execPath, [...engineFlags(limits), program, folder], {
      env: { HOME: folder },
      cwd: folder,
      signal,
    });
    return { folder, seccomp: join(folder, 'seccomp.bpf'), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
