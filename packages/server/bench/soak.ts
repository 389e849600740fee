/** The service's own memory over a thousand lives of browsers, as it is, without a forced garbage collection. */
import { readFileSync } from 'node:fs';
import { type Row, summarize } from './measure.ts';
import { startBench } from './service.ts';

const marks = [100, 300, 600, 1000];
const atOnce = 8;

export async function benchSoak(): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '4' });
  const rows: Row[] = [];
  let lives = 0;
  for (const mark of marks) {
    const worker = async (): Promise<void> => {
      while (lives < mark) {
        lives++;
        await bench.remove((await bench.create()).id);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    rows.push(...summarize('soak', { [`resident after ${mark} lives`]: [residentOf(bench.pid)] }, 'MB'));
    const heap = await bench.number('process_heap_bytes{what="used"}');
    rows.push(...summarize('soak', { [`heap used after ${mark} lives`]: [heap / 1024 ** 2] }, 'MB'));
    rows.push(
      ...summarize(
        'soak',
        { [`open files after ${mark} lives`]: [await bench.number('process_open_fds')] },
        '',
      ),
    );
  }
  return rows;
}

const residentOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
