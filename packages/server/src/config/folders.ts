/** Where the folders of the service lie when the operator names none. */
import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const memoryFolder = '/dev/shm';
const enoughMemory = 2 * 1024 ** 3;

/** Profiles are small and short-lived: in memory they cost no disk writes, and a deleted browser is gone sooner. */
function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= enoughMemory) return memoryFolder;
  } catch {
    // there is no such folder here
  }
  return tmpdir();
}

type Environment = Record<string, string | undefined>;

/**
 * Where the system has its caches. Not in the data folder, which two services never share; not in the temporary folder,
 * where any user could be first; and not beside the sources, which may be read-only, or closed to the runners' user.
 */
function cacheFolder(env: Environment): string | null {
  const isMac = process.platform === 'darwin';
  if (process.getuid?.() === 0) return isMac ? '/Library/Caches/browserd' : '/var/cache/browserd';
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'browserd');
  return env.HOME ? join(env.HOME, isMac ? 'Library/Caches' : '.cache', 'browserd') : null;
}

export interface Folders {
  scratchDir: string;
  exchangeDir: string;
  cacheDir: string | null;
}

/** A service that is started again with the same data folder finds the same folders. */
export function defaultFolders(dataDir: string, env: Environment): Folders {
  const owner = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const ownName = `browserd-${process.getuid?.() ?? 'user'}-${owner}`;
  // Only root gets through the data folder of root.
  const disk = process.getuid?.() === 0 ? join('/var/tmp', ownName) : join(dataDir, 'exchange');
  return { scratchDir: join(fastFolder(), ownName), exchangeDir: disk, cacheDir: cacheFolder(env) };
}
