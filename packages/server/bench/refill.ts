/** Whether a pool that refills in the background slows the browsers that run. */
import { type Row, summarize, timed } from './measure.ts';
import { startBench } from './service.ts';

export async function benchRefill(): Promise<Row[]> {
  await using bench = await startBench({ BROWSERD_POOL_SIZE: '5' });
  await bench.settled();
  const { id } = await bench.create();
  await bench.settled();
  const status = () => timed(() => bench.call('GET', `/v1/browsers/${id}/status`));
  const quiet: number[] = [];
  const refilling: number[] = [];
  for (let round = 0; round < 8; round++) {
    await bench.settled();
    for (let n = 0; n < 40; n++) quiet.push((await status()).ms);
    const taken = await Promise.all(Array.from({ length: 4 }, () => bench.create()));
    for (let n = 0; n < 100; n++) refilling.push((await status()).ms);
    for (const browser of taken) await bench.remove(browser.id);
  }
  return summarize('refill', { 'status while the pool refills': refilling, 'status while it rests': quiet });
}
