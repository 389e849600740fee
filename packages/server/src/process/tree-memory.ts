/**
 * How much memory process trees use, for many trees in one look. The kernel's exact number (`smaps_rollup`) takes
 * milliseconds a process, so this adds up what `status` has: memory of its own, and shared memory. That is mapped by two
 * processes as a rule, the one that draws and the one that shows, so it counts half, but never less than the largest.
 */
import { readProc } from './proc-files.ts';
import { TreeMembers } from './tree-members.ts';

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

const kilobytes = (status: string, name: string): number => {
  const at = status.indexOf(name);
  return at === -1 ? 0 : Number.parseInt(status.slice(at + name.length), 10) * 1024;
};

export class TreeMemories {
  readonly #members = new TreeMembers();

  /** Of the trees below these processes; one that has ended is left out. */
  look(roots: ReadonlySet<number>): Map<number, TreeMemory> {
    const members = new Map<number, { pid: number; own: number; shared: number }[]>();
    for (const [pid, root] of this.#members.look(roots)) {
      const status = readProc(`/proc/${pid}/status`);
      if (!status) continue;
      const list = members.get(root) ?? [];
      members.set(root, list);
      list.push({ pid, own: kilobytes(status, 'RssAnon:'), shared: kilobytes(status, 'RssShmem:') });
    }
    return new Map([...members].map(([root, list]) => [root, sumOf(list)]));
  }
}

function sumOf(list: { pid: number; own: number; shared: number }[]): TreeMemory {
  const own = list.reduce((sum, each) => sum + each.own, 0);
  const shared = list.reduce((sum, each) => sum + each.shared, 0);
  const largest = list.reduce((most, each) => Math.max(most, each.shared), 0);
  const members = list.map((each) => ({ pid: each.pid, bytes: each.own + each.shared }));
  return { bytes: own + Math.max(shared / 2, largest), members: members.sort((a, b) => b.bytes - a.bytes) };
}
