import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk of its own in memory, which a test can fill and empty without harm to other tests. */
export interface SmallDisk extends AsyncDisposable {
  folder: string;
  freeBytes(): Promise<number>;
  /** Takes all room but this. */
  fill(leaveBytes: number): Promise<void>;
  empty(): Promise<void>;
}

const mountProgram = ['/bin/mount', '/usr/bin/mount'].find((path) => existsSync(path));

/** Undefined where it can be done; otherwise why not. */
export const cannotMount: string | undefined =
  process.platform !== 'linux' || process.getuid?.() !== 0 || !mountProgram
    ? 'only root on Linux can mount a disk'
    : tryToMount();

function tryToMount(): string | undefined {
  try {
    execFileSync('unshare', ['--mount', mountProgram ?? 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], {
      stdio: 'ignore',
    });
    return undefined;
  } catch (error) {
    return `mounting is not allowed here: ${(error as Error).message}`;
  }
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder]);
  const ballast = join(folder, 'ballast');
  await mkdir(ballast);
  let pieces = 0;
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    async fill(leaveBytes) {
      for (let free = await freeBytes(); free > leaveBytes; free = await freeBytes()) {
        const piece = new Uint8Array(Math.min(free - leaveBytes, 8 * 1024 ** 2));
        // others write too, and may have been faster
        await writeFile(join(ballast, String(pieces++)), piece).catch(ignoreFull);
      }
    },
    async empty() {
      await rm(ballast, { recursive: true });
      await mkdir(ballast);
    },
    async [Symbol.asyncDispose]() {
      execFileSync('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

const ignoreFull = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'ENOSPC') throw error;
};
