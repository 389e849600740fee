/** How much may still be written to the disk that has a folder. */
import { statfs } from 'node:fs/promises';

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

export async function sizeOfDisk(folder: string): Promise<number> {
  const { blocks, bsize } = await statfs(folder);
  return blocks * bsize;
}

/** Whether all these folders have room, in words for the operator. */
export async function checkDisk(
  folders: string[],
  leastFreeBytes: number,
): Promise<{ ok: boolean; detail: string; freeBytes?: number }> {
  try {
    const disks = await Promise.all(
      folders.map(async (folder) => ({ folder, free: await freeBytes(folder) })),
    );
    const full = disks.find(({ free }) => free < leastFreeBytes);
    const detail = full
      ? `less than ${leastFreeBytes} bytes are free on the disk of ${full.folder}: new files are refused`
      : 'enough is free';
    return { ok: full === undefined, detail, freeBytes: Math.min(...disks.map(({ free }) => free)) };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}
