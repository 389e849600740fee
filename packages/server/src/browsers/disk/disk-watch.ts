/**
 * Holds the folders of browsers (profile and exchange) to their quota. To walk them all takes about ten milliseconds a
 * browser, so they are walked only when there is a reason to; what is left on their disks is one call:
 *
 *   every 250 ms  what is left
 *   a walk        when that fell by a sixteenth of the quota since the last one, and every minute in any case
 *
 * Profiles may lie in memory, which is small and shared by all browsers: when little of it is left, the browser with the
 * largest profile there is ended, before another browser finds no room.
 */
import { statfs } from 'node:fs/promises';
import { folderSize, mostFiles } from './folder-size.ts';

export interface DiskLimits {
  /** Of one browser. */
  quotaBytes: number;
  /** Of all browsers of a project that run; null: none. */
  projectQuotaBytes: number | null;
  /** Where profiles lie; null: that is a disk, whose end is the operator's business. */
  memoryFolder: string | null;
  /** When less than this is left in memory, the largest profile goes. */
  memoryReserveBytes: number;
  /** One on each disk that browsers write to. */
  disks: string[];
}

export interface WatchedFolders extends Disposable {
  /** Whose browser it is. */
  projectId: string | undefined;
}

export interface DiskWatch extends Disposable {
  /** `onOver` is called once, with the reason for which the browser must end. */
  watch(folders: { profile: string; exchange: string }, onOver: (reason: string) => void): WatchedFolders;
}

interface Watched extends WatchedFolders {
  profile: string;
  exchange: string;
  profileBytes: number;
  bytes: number;
  files: number;
  end(reason: string): void;
}

const tickMs = 250;
const steadyMs = 60_000;
const growthShare = 1 / 16;
/** Of the time, at most. */
const shareOfTime = 0.2;
/** A profile smaller than this is not why the memory is full. */
const large = 8 * 1024 ** 2;

const megabytes = (bytes: number): number => Math.round(bytes / 1024 ** 2);

export function openDiskWatch(limits: DiskLimits): DiskWatch {
  const all = new Set<Watched>();
  const atWalk = limits.disks.map(() => 0);
  let walkedAt = 0;
  let notBefore = 0;
  let busy = false;
  let timer: NodeJS.Timeout | undefined;

  const walk = async (): Promise<void> => {
    const began = performance.now();
    for (const each of all) {
      const [profile, exchange] = await Promise.all([folderSize(each.profile), folderSize(each.exchange)]);
      each.profileBytes = profile.bytes;
      each.bytes = profile.bytes + exchange.bytes;
      each.files = profile.files + exchange.files;
      if (each.files > mostFiles)
        each.end(`it had more than ${mostFiles} files in its profile and exchange folder`);
      else if (each.bytes > limits.quotaBytes)
        each.end(
          `its profile and exchange folder took ${megabytes(each.bytes)} MiB of disk and may take ${megabytes(limits.quotaBytes)} (BROWSERD_BROWSER_DISK)`,
        );
    }
    if (limits.projectQuotaBytes !== null) endLargestOfProjects(limits.projectQuotaBytes);
    walkedAt = performance.now();
    notBefore = walkedAt + (walkedAt - began) / shareOfTime;
  };
  const largestOf = (some: Watched[], bytes: 'bytes' | 'profileBytes'): Watched | undefined =>
    some.toSorted((a, b) => b[bytes] - a[bytes])[0];
  const endLargestOfProjects = (quotaBytes: number): void => {
    for (const [projectId, some] of Map.groupBy(all, (each) => each.projectId)) {
      const sum = some.reduce((bytes, each) => bytes + each.bytes, 0);
      if (projectId === undefined || sum <= quotaBytes) continue;
      largestOf(some, 'bytes')?.end(
        `the browsers of its project took ${megabytes(sum)} MiB of disk together and may take ${megabytes(quotaBytes)} (BROWSERD_PROJECT_DISK), and it took the most`,
      );
    }
  };
  const endLargestInMemory = (folder: string): void => {
    const inMemory = [...all].filter(({ profile }) => profile.startsWith(`${folder}/`));
    const largest = largestOf(inMemory, 'profileBytes');
    if (!largest || largest.profileBytes < large) return;
    largest.end(
      `the memory that profiles lie in is almost full, and its profile took the most there (${megabytes(largest.profileBytes)} MiB)`,
    );
  };

  const look = async (): Promise<void> => {
    const left = await Promise.all(limits.disks.map(leftOn));
    const memory = limits.memoryFolder === null ? undefined : await leftOn(limits.memoryFolder);
    const short = memory !== undefined && memory < limits.memoryReserveBytes;
    // What was given back meanwhile must not hide what is taken next.
    left.forEach((bytes, at) => {
      atWalk[at] = Math.max(atWalk[at] ?? 0, bytes);
    });
    const grown = left.some((bytes, at) => (atWalk[at] ?? 0) - bytes > limits.quotaBytes * growthShare);
    if (performance.now() < notBefore) return;
    if (!grown && !short && performance.now() - walkedAt < steadyMs) return;
    left.forEach((bytes, at) => {
      atWalk[at] = bytes;
    });
    await walk();
    if (short && limits.memoryFolder !== null) endLargestInMemory(limits.memoryFolder);
  };
  const tick = (): void => {
    if (busy) return;
    busy = true;
    void look()
      .catch(() => undefined)
      .finally(() => {
        busy = false;
      });
  };

  return {
    watch({ profile, exchange }, onOver) {
      const watched: Watched = {
        projectId: undefined,
        profile,
        exchange,
        profileBytes: 0,
        bytes: 0,
        files: 0,
        end(reason) {
          // Its folders are counted no more: they are about to go.
          watched[Symbol.dispose]();
          onOver(reason);
        },
        [Symbol.dispose]() {
          all.delete(watched);
          if (all.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
      all.add(watched);
      timer ??= setInterval(tick, tickMs).unref();
      return watched;
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      all.clear();
    },
  };
}

const leftOn = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};
