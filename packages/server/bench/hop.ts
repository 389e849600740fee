import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/support/cluster.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { addressOf, talkTo } from './cdp.ts';
import { type Row, summarize, timed } from './measure.ts';
import { type Bench, startBench } from './service.ts';

/** What a call costs more that reaches a node which has to pass it on: calls through the holder and through another node in turn. */
const rounds = 500;

export async function benchHop(): Promise<Row[]> {
  await using opened = new AsyncDisposableStack();
  const postgres = await startPostgres();
  opened.defer(() => postgres.stop());
  const databaseUrl = await postgres.newDatabase();
  const blobs = await mkdtemp(join(tmpdir(), 'browserd-bench-blobs-'));
  opened.defer(() => rm(blobs, { recursive: true, force: true }));
  const start = async (): Promise<Bench> =>
    opened.use(
      await startBench({
        BROWSERD_DATABASE_URL: databaseUrl,
        BROWSERD_BLOBS: blobs,
        BROWSERD_API_KEY: 'a-key-of-all-nodes-of-the-bench',
        BROWSERD_SECRET_KEY: '5a'.repeat(32),
        BROWSERD_CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
      }),
    );
  // Alone at first, so that the browser is its own.
  const holder = await start();
  await holder.settled();
  const { id } = await holder.create();
  const other = await start();
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
