/** What processes cost, from their own clocks in /proc. */
import { readFileSync } from 'node:fs';
import { processTree } from '../src/process/process-tree.ts';

const measureMs = 5000;
const tickMs = 10;

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** CPU time of one process so far, in ms. */
export function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
  }
}

/** CPU time of those of its children that have ended so far, in ms. */
export function cpuOfEnded(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}

export const below = async (pid: number): Promise<number> =>
  (await processTree(pid)).filter((ref) => ref.pid !== pid).reduce((sum, ref) => sum + cpuOf(ref.pid), 0);

/** Percent of a core that each costs over a while. */
export async function costs(...clocks: (() => number | Promise<number>)[]): Promise<number[]> {
  const began = performance.now();
  const before = await Promise.all(clocks.map((clock) => clock()));
  await pause(measureMs);
  const after = await Promise.all(clocks.map((clock) => clock()));
  const tookMs = performance.now() - began;
  return after.map((value, index) => ((value - (before[index] ?? 0)) / tookMs) * 100);
}
