/** What a call costs more that reaches a node which has to pass it on: calls through the holder and through another node in turn. */
import { addressOf, talkTo } from './cdp.ts';
import { type Row, summarize, timed } from './measure.ts';
import { openShared, startNode } from './nodes.ts';
import type { Bench } from './service.ts';

const rounds = 500;

export async function benchHop(): Promise<Row[]> {
  await using shared = await openShared();
  const place = { databaseUrl: await shared.postgres.newDatabase(), blobs: shared.blobs };
  // Alone at first, so that the browser is its own.
  await using holder = await startNode(place);
  await holder.settled();
  const { id } = await holder.create();
  await using other = await startNode(place);
  await other.settled();
  const status = (bench: Bench) => bench.call('GET', `/v1/browsers/${id}/status`);
  const execute = (bench: Bench) =>
    bench.call('POST', `/v1/browsers/${id}/script/execute`, { code: 'return 1' });
  const rows = [
    ...(await inTurn('GET status', status, holder, other)),
    ...(await inTurn('execute', execute, holder, other)),
  ];
  const direct = await talkTo(await addressOf(holder, id));
  const passedOn = await talkTo(await addressOf(other, id));
  const cdp = await inTurn('CDP message', (talk) => talk.evaluate(), direct, passedOn);
  direct.close();
  passedOn.close();
  return [...rows, ...cdp];
}

async function inTurn<T>(
  what: string,
  work: (at: T) => Promise<unknown>,
  holder: T,
  other: T,
): Promise<Row[]> {
  const through: number[] = [];
  const direct: number[] = [];
  for (let n = 0; n < rounds; n++) {
    through.push((await timed(() => work(other))).ms);
    direct.push((await timed(() => work(holder))).ms);
  }
  return summarize('hop', { [`${what}, through another node`]: through, [`${what}, at its holder`]: direct });
}
