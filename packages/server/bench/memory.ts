/** What an operator has to plan for: the memory of idle browsers, and of the service itself over many lives. */
import { readFileSync } from 'node:fs';
import { processTree } from '../src/process/process-tree.ts';
import { type Row, summarize } from './measure.ts';
import { engines } from './rivals.ts';
import { startBench } from './service.ts';

/** Proportional set size of a process tree: shared pages counted once over all processes that share them. */
export async function pssOf(pid: number, without?: number): Promise<number> {
  const tree = await processTree(pid);
  const sizes = tree
    .filter((ref) => ref.pid !== without)
    .map((ref) => {
      try {
        return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${ref.pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
      } catch {
        return 0;
      }
    });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function benchMemory(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const engine of engines) {
    // Warm runners belong to no browser, so they are left out.
    const env = { BROWSERD_POOL_SIZE: '0', BROWSERD_RUNNER_POOL_SIZE: '0', BROWSERD_ENGINE: engine };
    await using bench = await startBench(env);
    let open = 0;
    for (const wanted of [1, 10, 30]) {
      for (; open < wanted; open++) await bench.create();
      await pause(3000);
      const each = (await pssOf(bench.pid, bench.pid)) / wanted;
      rows.push(...summarize('memory', { [`${engine}: per browser, ${wanted} idle`]: [each] }, 'MB'));
    }
  }
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '4' });
  const own = () =>
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${bench.pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  const lives = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left-- > 0) await bench.remove((await bench.create()).id);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  };
  await lives(100);
  const early = own();
  await lives(200);
  rows.push(
    ...summarize('memory', { 'service after 300 lives': [own()], 'service after 100 lives': [early] }, 'MB'),
  );
  return rows;
}
