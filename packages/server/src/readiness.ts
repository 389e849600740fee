/** What must hold for the service to take work, each checked at the time of the call. */
import { statfs } from 'node:fs/promises';
import type { Capacity, WarmBrowsers } from './browsers/browsers.ts';
import type { Check, Readiness } from './http/http.ts';
import type { Isolation } from './process/process.ts';
import type { Store } from './store/records.ts';

export function createReadiness(parts: {
  store: Store;
  pool: WarmBrowsers;
  capacity: Capacity;
  isolation: Isolation;
  sandbox: boolean;
  folders: string[];
  /** With less free on one of their disks, files are refused, and soon more than that. */
  leastFreeBytes: number;
  chromium: string;
}): Readiness {
  return {
    async check() {
      const [store, disk] = await Promise.all([
        checkStore(parts.store),
        checkDisk(parts.folders, parts.leastFreeBytes),
      ]);
      const { used, max, waiting } = parts.capacity.usage();
      const problem = parts.pool.problem();
      const pool = parts.pool.size();
      return {
        store,
        chromium: { ok: problem === undefined, detail: problem ?? parts.chromium, pool },
        sandbox: {
          ok: parts.sandbox,
          detail: parts.sandbox ? parts.isolation.detail : 'BROWSERD_SANDBOX is off',
          isolation: parts.isolation.mode,
        },
        disk,
        capacity: {
          ok: used < max,
          detail: used < max ? 'there is room' : 'every browser is in use; creates are refused or queued',
          used,
          max,
          waiting,
        },
      };
    },
  };
}

async function checkStore(store: Store): Promise<Check> {
  try {
    await store.ping();
    return { ok: true, detail: store.kind };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}

export async function checkDisk(folders: string[], leastFreeBytes: number): Promise<Check> {
  try {
    const disks = await Promise.all(
      folders.map(async (folder) => {
        const { bavail, bsize } = await statfs(folder);
        return { folder, freeBytes: bavail * bsize };
      }),
    );
    const freeBytes = Math.min(...disks.map((disk) => disk.freeBytes));
    const full = disks.find((disk) => disk.freeBytes < leastFreeBytes);
    const detail = full
      ? `less than ${leastFreeBytes} bytes are free on the disk of ${full.folder}: new files are refused`
      : 'enough is free';
    return { ok: full === undefined, detail, freeBytes };
  } catch (error) {
    return { ok: false, detail: (error as Error).message };
  }
}
