/** Where the folders of running browsers lie when the operator names none. */
import { createHash } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** A service that is started again with the same data folder finds the same folders. */
export function defaultFolders(dataDir: string): { scratchDir: string; exchangeDir: string } {
  const owner = createHash('sha256').update(dataDir).digest('hex').slice(0, 8);
  const ownName = `browserd-${process.getuid?.() ?? 'user'}-${owner}`;
  // Only root gets through the data folder of root.
  const disk = process.getuid?.() === 0 ? join('/var/tmp', ownName) : join(dataDir, 'exchange');
  return { scratchDir: join(fastFolder(), ownName), exchangeDir: disk };
}
