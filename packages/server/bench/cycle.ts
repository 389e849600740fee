/** Status and delete of living browsers, and the whole life back to back, beside a script that launches per job. */
import { type Row, summarize, timed } from './measure.ts';
import { playwrightLaunch } from './rivals.ts';
import { startBench } from './service.ts';

export async function benchCycle(): Promise<Row[]> {
  await using bench = await startBench();
  await bench.settled();
  const one = await bench.create();
  const alone: number[] = [];
  for (let n = 0; n < 300; n++)
    alone.push((await timed(() => bench.call('GET', `/v1/browsers/${one.id}/status`))).ms);

  const remove: number[] = [];
  for (let n = 0; n < 30; n++) {
    await bench.settled();
    const { id } = await bench.create();
    remove.push((await timed(() => bench.remove(id))).ms);
  }
  const whole: number[] = [];
  const theirs: number[] = [];
  for (let n = 0; n < 30; n++) {
    const life = async () => {
      const { id } = await bench.create();
      await bench.call('GET', `/v1/browsers/${id}/status`);
      await bench.remove(id);
    };
    whole.push((await timed(life)).ms);
    theirs.push((await timed(async () => (await playwrightLaunch())())).ms);
  }
  const many = await Promise.all(Array.from({ length: 29 }, () => bench.create()));
  await bench.settled();
  const crowded: number[] = [];
  for (let n = 0; n < 300; n++)
    crowded.push((await timed(() => bench.call('GET', `/v1/browsers/${one.id}/status`))).ms);
  for (const { id } of many) await bench.remove(id);
  return [
    ...summarize('cycle', { 'status, 30 browsers': crowded, 'status, 1 browser': alone }),
    ...summarize('cycle', { 'delete, receipt included': remove }),
    ...summarize('cycle', {
      'create – status – delete, back to back': whole,
      'Playwright launch – close': theirs,
    }),
  ];
}
