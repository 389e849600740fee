/**
 * Which processes belong to which trees, for many trees in one look. `children` files would be one for each thread: the
 * parents of new processes are read instead, once.
 */
import { readdirSync } from 'node:fs';
import { readProc } from './proc-files.ts';

interface Known {
  parent: number;
  /** The tree it was found in. */
  root?: number;
  metAt: number;
}

/** From `status`: the kernel gives out `stat` only when the program of the process has been loaded. */
function identify(pid: number): Known | undefined {
  const parent = /^PPid:\s*(\d+)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return parent === undefined ? undefined : { parent: Number(parent), metAt: performance.now() };
}

/** After this time a process has its program, also on a busy machine. */
const loadingMs = 500;

/** A process that is no member of a tree is looked at again after this many looks: its number may be another's by then. */
const looksUntilAnew = 16;

export class TreeMembers {
  readonly #known = new Map<number, Known>();
  #looks = 0;

  /** Each process of the trees below these roots, with its root. */
  look(roots: ReadonlySet<number>): Map<number, number> {
    this.#meet(roots);
    const members = new Map<number, number>();
    for (const [pid, known] of this.#known) {
      const root = known.root ?? this.#rootOf(pid, roots);
      if (root === undefined) continue;
      known.root = root;
      members.set(pid, root);
    }
    return members;
  }

  /** It may still be loading its program: who reads its `stat` would wait for that. */
  isLoading(pid: number): boolean {
    const { metAt = 0 } = this.#known.get(pid) ?? {};
    return performance.now() - metAt < loadingMs;
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
    for (let at = pid, steps = 0; at > 1 && steps < 32; at = this.#known.get(at)?.parent ?? 0, steps++)
      if (roots.has(at)) return at;
    return undefined;
  }
}
