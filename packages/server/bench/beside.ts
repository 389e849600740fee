/**
 * npm run bench -- beside --other FOLDER: this checkout beside another, an older version as a rule, on one machine each with
 * its own database file. Calls alternate, so that a machine whose speed changes from minute to minute is as fast or slow for
 * both: the ratios say what a change has cost, to a few percent.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Row, summarize, timed } from './measure.ts';
import { type Bench, startBench } from './service.ts';

const calls = 1000;
const creates = 60;

export async function benchBeside(other: string): Promise<Row[]> {
  if (!existsSync(resolve(other, 'packages/server/src/programs/main.ts')))
    throw new Error('Name the other checkout, with its packages installed: --other FOLDER.');
  await using here = await startBench();
  await using there = await startBench({}, resolve(other));
  const both = [here, there];
  const ids = new Map<Bench, string>();
  for (const each of both) {
    await each.settled();
    ids.set(each, (await each.create()).id);
  }
  const status = (bench: Bench) => bench.call('GET', `/v1/browsers/${ids.get(bench)}`);
  const execute = (bench: Bench) =>
    bench.call('POST', `/v1/browsers/${ids.get(bench)}/script/execute`, { code: 'return 1' });
  for (let n = 0; n < 50; n++)
    for (const each of both) {
      await status(each);
      await execute(each);
    }
  return [
    ...compared('GET a browser', await alternating(both, calls, status)),
    ...compared('execute', await alternating(both, calls, execute)),
    ...compared('create, warm pool', await createdInTurn(both)),
  ];
}

const compared = (what: string, [here, there]: number[][]): Row[] =>
  summarize('beside', { [what]: here ?? [], [`${what}, the other checkout`]: there ?? [] });

/** Who is first changes, too: the second call finds the processor warmer, or busier with the rest of the first. */
async function alternating(
  both: Bench[],
  rounds: number,
  work: (bench: Bench) => Promise<unknown>,
  between: (bench: Bench) => Promise<unknown> = async () => undefined,
): Promise<number[][]> {
  const times = new Map(both.map((bench): [Bench, number[]] => [bench, []]));
  for (let n = 0; n < rounds; n++) {
    const order = n % 2 === 0 ? both : both.toReversed();
    for (const bench of order) times.get(bench)?.push((await timed(() => work(bench))).ms);
    for (const bench of order) await between(bench);
  }
  return [...times.values()];
}

async function createdInTurn(both: Bench[]): Promise<number[][]> {
  const made = new Map<Bench, string>();
  for (const each of both) await each.settled();
  return await alternating(
    both,
    creates,
    async (bench) => made.set(bench, (await bench.create()).id),
    async (bench) => {
      await bench.remove(made.get(bench) ?? '');
      for (const each of both) await each.settled();
    },
  );
}
