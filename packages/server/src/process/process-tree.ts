/** A process and the moment it started, so that a reused number is never taken for it. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface ProcessRef {
  pid: number;
  startedAt: string;
}

/** Field 22 of /proc/pid/stat; the command name before it may hold spaces and brackets. */
function startTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function linuxTree(root: number): ProcessRef[] {
  const found: ProcessRef[] = [];
  const queue = [root];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    const startedAt = startTime(pid);
    if (startedAt === undefined) continue;
    found.push({ pid, startedAt });
    queue.push(...childrenOf(pid));
  }
  return found;
}

/** Elsewhere `ps` knows the parents; the start time is part of its answer as well. */
async function psTree(root: number): Promise<ProcessRef[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,ppid=,lstart=']);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, ...start]) => ({
      pid: Number(pid),
      parent: Number(parent),
      startedAt: start.join(' '),
    }));
  const tree = rows.filter((row) => row.pid === root);
  for (const member of tree) tree.push(...rows.filter((row) => row.parent === member.pid));
  return tree.map(({ pid, startedAt }) => ({ pid, startedAt }));
}

export const processTree = async (root: number): Promise<ProcessRef[]> =>
  process.platform === 'linux' ? linuxTree(root) : psTree(root);

async function alive(refs: readonly ProcessRef[]): Promise<ProcessRef[]> {
  if (process.platform === 'linux') return refs.filter((ref) => startTime(ref.pid) === ref.startedAt);
  return refs.filter((ref) => {
    try {
      return process.kill(ref.pid, 0);
    } catch {
      return false;
    }
  });
}

/** The kernel ends a process when it gets round to it: on a machine that is far too busy that takes seconds. */
const patienceMs = 30_000;

/** Kills every process of the list that still lives and resolves when none is left. */
export async function endAll(refs: readonly ProcessRef[], deadlineMs = patienceMs): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  let left = await alive(refs);
  while (left.length > 0) {
    for (const ref of left) {
      try {
        process.kill(ref.pid, 'SIGKILL');
      } catch {
        // ended between the look and the signal
      }
    }
    if (performance.now() > deadline)
      throw new Error(`processes ${left.map((ref) => ref.pid).join(', ')} survive SIGKILL`);
    await sleep(2);
    left = await alive(refs);
  }
}
