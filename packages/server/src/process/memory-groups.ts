/**
 * Control groups (version 2) for process trees, where the service has been given a part of that tree to itself: by
 * systemd (`Delegate=memory`) or in a container that may write it. The kernel then holds the limit, whatever happens
 * between two looks of the memory watch; the watch still acts first, because it can say which page was ended and why.
 *
 *   own group ─┬─ browserd-service     the service itself: a group with children must have no processes of its own
 *              └─ browserd-1f3a…-9c…   one for each Chromium; the middle part is the service's, so that it knows its own
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface MemoryGroup {
  setLimit(bytes: number): void;
  /** From now on these, and what they start, count. */
  add(pids: readonly number[]): void;
  /** How many of its processes the kernel has ended for want of memory. */
  killed(): number;
  /** When its processes have gone. */
  remove(): Promise<void>;
}

export interface MemoryGroups {
  open(limitBytes: number): MemoryGroup | undefined;
}

const serviceGroup = 'browserd-service';
/** Login sessions and the first process are not the service's to rearrange, even where it may. */
const notOurs = /^(session-.*|init)\.scope$/;
/** Page cache and the kernel's own memory count as well, so the wall stands a little behind the limit. */
const wallOf = (limitBytes: number): number => Math.round(limitBytes * 1.125) + 64 * 1024 ** 2;

/** Undefined: there is no such group here, and the memory watch alone holds the limits. */
export function openMemoryGroups(options: { owner: string; group?: string }): MemoryGroups | undefined {
  const own = options.group ?? ownGroup();
  if (own === undefined || notOurs.test(basename(own))) return undefined;
  const prefix = `browserd-${createHash('sha256').update(options.owner).digest('hex').slice(0, 12)}-`;
  try {
    const parent = takeOver(own);
    if (parent === undefined) return undefined;
    removeLeft(parent, prefix);
    return {
      open: (limitBytes) => openGroup(join(parent, prefix + randomBytes(6).toString('hex')), limitBytes),
    };
  } catch {
    return undefined;
  }
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1').trim();
  } catch {
    return '';
  }
};

/** The path of this process's group in the file system of groups. */
function ownGroup(): string | undefined {
  const path = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1];
  for (const line of read('/proc/self/mountinfo').split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '/', mountPoint = ''] = before.split(' ');
    if (path === undefined || !after.startsWith('cgroup2 ')) continue;
    return join(mountPoint, root !== '/' && path.startsWith(root) ? path.slice(root.length) : path);
  }
  return undefined;
}

/** Makes the group one that can have children with limits; returns where they go. */
function takeOver(own: string): string | undefined {
  const enabled = (group: string): boolean =>
    / memory( |$)/.test(` ${read(join(group, 'cgroup.subtree_control'))}`);
  if (basename(own) === serviceGroup && enabled(dirname(own))) return writable(dirname(own));
  if (!/(^| )memory( |$)/.test(read(join(own, 'cgroup.controllers'))) || !writable(own)) return undefined;
  if (enabled(own)) return own;
  mkdirSync(join(own, serviceGroup), { recursive: true });
  for (const pid of read(join(own, 'cgroup.procs')).split('\n').filter(Boolean))
    writeFileSync(join(own, serviceGroup, 'cgroup.procs'), pid);
  writeFileSync(join(own, 'cgroup.subtree_control'), '+memory');
  return own;
}

function writable(group: string): string | undefined {
  try {
    for (const path of [group, join(group, 'cgroup.procs'), join(group, 'cgroup.subtree_control')])
      accessSync(path, constants.W_OK);
    return group;
  } catch {
    return undefined;
  }
}

/** Of a service that was killed: its Chromiums have ended with it, or are about to. */
function removeLeft(parent: string, prefix: string): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix)))
    void removeGroup(join(parent, name));
}

function openGroup(group: string, limitBytes: number): MemoryGroup | undefined {
  const set = (name: string, value: string | number): void => writeFileSync(join(group, name), String(value));
  try {
    mkdirSync(group);
    set('memory.max', wallOf(limitBytes));
    set('memory.oom.group', 0);
    if (existsSync(join(group, 'memory.swap.max'))) set('memory.swap.max', 0);
  } catch {
    void removeGroup(group);
    return undefined;
  }
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch {
      // a process that has ended meanwhile, or a group that is being removed
    }
  };
  return {
    setLimit: (bytes) => attempt(() => set('memory.max', wallOf(bytes))),
    add(pids) {
      for (const pid of pids) attempt(() => set('cgroup.procs', pid));
    },
    killed: () => Number(/^oom_kill (\d+)/m.exec(read(join(group, 'memory.events')))?.[1] ?? 0),
    remove: () => removeGroup(group),
  };
}

const removeTries = 50;

async function removeGroup(group: string): Promise<void> {
  for (let tries = 0; tries < removeTries && existsSync(group); tries++) {
    try {
      if (tries > 0) writeFileSync(join(group, 'cgroup.kill'), '1');
      rmdirSync(group);
    } catch {
      await sleep(20);
    }
  }
}
