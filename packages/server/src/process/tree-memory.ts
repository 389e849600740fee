/**
 * How much memory process trees use, for many trees in one look. The kernel's exact number (`smaps_rollup`) takes
 * milliseconds a process, so this adds up what `status` has: memory of its own, and shared memory. That is mapped by two
 * processes as a rule, the one that draws and the one that shows, so it counts half, but never less than the largest.
 * `children` files would be one for each thread: the parents of new processes are read instead, once.
 */
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessMemory {
  pid: number;
  /** Of its own and shared. */
  bytes: number;
}

export interface TreeMemory {
  bytes: number;
  /** Largest first. */
  members: ProcessMemory[];
}

interface Known {
  parent: number;
  startedAt: string;
  /** The tree it was found in. */
  root?: number;
}

const buffer = Buffer.alloc(8192);

function read(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function identify(pid: number): Known | undefined {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && { parent: Number(fields[1]), startedAt: fields[19] ?? '' };
}

const kilobytes = (status: string, name: string): number => {
  const at = status.indexOf(name);
  return at === -1 ? 0 : Number.parseInt(status.slice(at + name.length), 10) * 1024;
};

/** A process that is no member of a tree is looked at again after this many looks: its number may be another's by then. */
const looksUntilAnew = 16;

export class TreeMemories {
  readonly #known = new Map<number, Known>();
  #looks = 0;

  /** Of the trees below these processes; one that has ended is left out. */
  look(roots: ReadonlySet<number>): Map<number, TreeMemory> {
    this.#meet(roots);
    const members = new Map<number, { pid: number; own: number; shared: number }[]>();
    for (const [pid, known] of this.#known) {
      const root = this.#rootOf(pid, roots);
      if (root === undefined) continue;
      known.root = root;
      const status = read(`/proc/${pid}/status`);
      if (!status) continue;
      const own = kilobytes(status, 'RssAnon:');
      const list = members.get(root) ?? [];
      members.set(root, list);
      list.push({ pid, own, shared: kilobytes(status, 'RssShmem:') });
    }
    return new Map([...members].map(([root, list]) => [root, sumOf(list)]));
  }

  #meet(roots: ReadonlySet<number>): void {
    const pids = new Set(readdirSync('/proc').map(Number));
    const anew = ++this.#looks % looksUntilAnew === 0;
    for (const [pid, { root }] of this.#known)
      if (!pids.has(pid) || (root === undefined ? anew : !roots.has(root))) this.#known.delete(pid);
    for (const pid of pids) {
      if (Number.isNaN(pid) || this.#known.has(pid)) continue;
      const found = identify(pid);
      if (found) this.#known.set(pid, found);
    }
  }

  #rootOf(pid: number, roots: ReadonlySet<number>): number | undefined {
    const { root } = this.#known.get(pid) ?? {};
    if (root !== undefined) return root;
    for (let at = pid, steps = 0; at > 1 && steps < 32; at = this.#known.get(at)?.parent ?? 0, steps++)
      if (roots.has(at)) return at;
    return undefined;
  }
}

function sumOf(list: { pid: number; own: number; shared: number }[]): TreeMemory {
  const own = list.reduce((sum, each) => sum + each.own, 0);
  const shared = list.reduce((sum, each) => sum + each.shared, 0);
  const largest = list.reduce((most, each) => Math.max(most, each.shared), 0);
  const members = list.map((each) => ({ pid: each.pid, bytes: each.own + each.shared }));
  return { bytes: own + Math.max(shared / 2, largest), members: members.sort((a, b) => b.bytes - a.bytes) };
}
