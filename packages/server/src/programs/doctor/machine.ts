/** Limits of the machine, each held against what the configuration would ask of it. */
import crypto from 'node:crypto';
import { readFileSync, statfsSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { type Config, memoryOfBrowser } from '../../config.ts';
import { type Finding, mebibytes, ok, warn } from './finding.ts';

type Asked = Pick<Config, 'maxBrowsers' | 'maxConnections'>;

/** A control group may allow less than the machine has. */
const memory = (): number => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

export function checkMemory({ maxBrowsers }: Asked, bytes = memory()): Finding {
  const enoughFor = Math.max(1, Math.floor(bytes / memoryOfBrowser));
  const detail = `${mebibytes(bytes)} for at most ${maxBrowsers} browsers at once`;
  if (maxBrowsers <= Math.max(4, enoughFor)) return ok('memory', detail);
  const fix = `Set BROWSERD_MAX_BROWSERS to ${enoughFor} or less, or give the machine more memory.`;
  return warn('memory', detail, fix);
}

/** Of the running process, which Node has raised as far as it may; undefined where the system does not say. */
function openFileLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\w+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  } catch {
    return undefined;
  }
}

/** Pipes, the exit, its connections and files of one browser; and what the service has open by itself. */
const filesOfBrowser = 32;
const filesOfService = 256;

export function checkOpenFiles({ maxBrowsers, maxConnections }: Asked, limit = openFileLimit()): Finding {
  if (limit === undefined) return ok('open files', 'the limit is not told on this system');
  const wanted = filesOfService + maxConnections + maxBrowsers * filesOfBrowser;
  const detail = `at most ${limit}; ${maxBrowsers} browsers and ${maxConnections} connections may want ${wanted}`;
  if (limit >= wanted) return ok('open files', detail);
  const fix = `Raise it to ${wanted} (ulimit -n, or LimitNOFILE= of the systemd unit), or lower BROWSERD_MAX_BROWSERS or BROWSERD_MAX_CONNECTIONS.`;
  return warn('open files', detail, fix);
}

const sharedMemory = '/dev/shm';
const leastSharedMemory = 512 * 1024 ** 2;

export function checkSharedMemory(boxed: boolean, free = freeSharedMemory()): Finding {
  if (free === undefined) return ok('shared memory', 'this system does not show it as a folder');
  const detail = `${mebibytes(free)} free in ${sharedMemory}`;
  if (boxed) return ok('shared memory', `${detail}; boxed browsers have their own`);
  if (free >= leastSharedMemory) return ok('shared memory', detail);
  return warn(
    'shared memory',
    `${detail}: pages may crash`,
    'Make it larger: mount -o remount,size=2G /dev/shm, or --shm-size=2g with docker run.',
  );
}

function freeSharedMemory(): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

const day = 86_400_000;

/** A clock that is behind its own programs makes certificates invalid and signed addresses last too long. */
export function checkClock(now = Date.now(), installedAt = statSync(import.meta.filename).mtimeMs): Finding {
  const time = new Date(now).toISOString();
  if (now > installedAt - day) return ok('clock', time);
  return warn(
    'clock',
    `${time}, which is before browserd was put on this machine`,
    'Set the clock, and let it be kept right: timedatectl set-ntp true',
  );
}

export function checkNode(version = process.version, features: object = crypto): Finding {
  if ('randomUUIDv7' in features) return ok('node', `${version} at ${process.execPath}`);
  return {
    name: 'node',
    state: 'fail',
    detail: `${version} is too old`,
    fix: 'Run it on Node 26, or 24.16 and later.',
  };
}
