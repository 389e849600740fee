/** create → ready over HTTP: from the warm pool one by one and five at once, and with no pool, beside its rivals. */
import { type Row, summarize, timed } from './measure.ts';
import { playwrightLaunch, rawLaunch } from './rivals.ts';
import { startBench } from './service.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function benchCreate(): Promise<Row[]> {
  const paced: number[] = [];
  const burst: number[] = [];
  const cold: number[] = [];
  const raw: number[] = [];
  const scripted: number[] = [];
  {
    await using warm = await startBench({ BROWSERD_POOL_SIZE: '6' });
    for (let round = 0; round < 40; round++) {
      await warm.settled();
      const { ms, value } = await timed(() => warm.create());
      if (round >= 5) paced.push(ms);
      await warm.remove(value.id);
    }
    for (let round = 0; round < 12; round++) {
      await warm.settled();
      const five = await Promise.all(Array.from({ length: 5 }, () => timed(() => warm.create())));
      if (round >= 2) burst.push(...five.map(({ ms }) => ms));
      await Promise.all(five.map(({ value }) => warm.remove(value.id)));
    }
  }
  {
    await using empty = await startBench({ BROWSERD_POOL_SIZE: '0' });
    for (let round = 0; round < 22; round++) {
      const ours = await timed(() => empty.create());
      await empty.remove(ours.value.id);
      const bare = await timed(rawLaunch);
      await bare.value();
      const theirs = await timed(playwrightLaunch);
      await theirs.value();
      await pause(50);
      if (round < 2) continue;
      cold.push(ours.ms);
      raw.push(bare.ms);
      scripted.push(theirs.ms);
    }
  }
  const rivals = { 'raw Chromium launch': raw, 'Playwright launch': scripted };
  return [
    ...summarize('create', { 'create, warm pool, paced': paced, ...rivals }).slice(0, 1),
    ...summarize('create', { 'create, warm pool, five at once': burst, ...rivals }).slice(0, 1),
    ...summarize('create', { 'create, empty pool': cold, ...rivals }),
  ];
}
