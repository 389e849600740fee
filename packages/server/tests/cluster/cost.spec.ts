import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { startPostgres } from '../support/postgres.ts';
import { eventually } from '../support/server.ts';

/** What a call asks of PostgreSQL, counted there, by a user of its own that counts nothing of itself. */
const calls = 20;
const rounds = 3;
const watcher = 'watcher';
const opened = new AsyncDisposableStack();
let cluster: TestCluster;
let watching: Pool;
let browserId: string;

beforeAll(async () => {
  const postgres = await startPostgres({ settings: { shared_preload_libraries: 'pg_stat_statements' } });
  opened.defer(() => postgres.stop());
  cluster = opened.use(await startCluster({ nodes: 2, lease: '1m', postgresUrl: postgres.url }));
  await cluster.sql('create extension pg_stat_statements');
  await cluster.sql(`create role ${watcher} superuser login`);
  const url = Object.assign(new URL(cluster.databaseUrl), { username: watcher }).toString();
  watching = new Pool({ connectionString: url, max: 1 });
  opened.defer(() => watching.end());
  browserId = (await holder().api.create()).body.id;
  expect(await cluster.holderOf(browserId)).toBe(holder());
});
afterAll(() => opened.disposeAsync());

const holder = () => cluster.nodes[0] as TestNode;

/** What a node asks when it is time, whether it is called or not. Webhooks are looked after then too, but also at each event. */
const byTheClock = [
  'update "nodes"',
  'select .* from "nodes" order by',
  'insert into turns',
  'select .* from browsers where holder is null',
  'select .* from "browsers" where "holder"',
  'select .* from "project_secrets" where "last_used_at"',
  '.*"(jobs|job_pages|profiles)"',
];

/** So far, of the nodes and of nothing else. */
async function statements(): Promise<number> {
  const { rows } = await watching.query(
    `select sum(calls)::int as count from pg_stat_statements
     where userid = 'postgres'::regrole and btrim(query, E' \\n') !~ $1
       and dbid = (select oid from pg_database where datname = current_database())`,
    [`^(${byTheClock.join('|')})`],
  );
  return rows[0].count;
}

async function completed(): Promise<number> {
  const { rows } = await watching.query(
    "select count(*)::int as count from events where type = 'script.completed'",
  );
  return rows[0].count;
}

/** Half of the calls come in at the node that holds the browser, half at another; each is over when its event is written. */
async function callInTurn(): Promise<void> {
  for (let call = 0; call < calls; call++) {
    const { api } = cluster.nodes[call % 2] as TestNode;
    const before = await completed();
    const { body } = await api.call('POST', `/v1/browsers/${browserId}/script/execute`, {
      body: { code: 'return 1' },
    });
    expect(body).toMatchObject({ result: 1 });
    await eventually(completed, (count) => count > before);
  }
}

async function countedDuring(work: () => Promise<unknown>): Promise<number> {
  const before = await statements();
  await work();
  return (await statements()) - before;
}

/**
 * Of one call, without what the nodes ask in the same time when they are not called: that is counted right after. The fewest of
 * some rounds, because a machine that is busy writes events of one call one by one, which only adds to it.
 */
async function ofOneCall(): Promise<number> {
  await callInTurn();
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const busy = await countedDuring(callInTurn);
    const tookMs = performance.now() - began;
    const idle = await countedDuring(() => sleep(tookMs));
    found.push((busy - idle) / calls);
  }
  return Math.min(...found);
}

/** Once more than before, each of the nodes. */
async function allGaveSigns(): Promise<void> {
  const clock = '(extract(epoch from clock_timestamp()) * 1000)::bigint';
  const { rows } = await watching.query(`select ${clock} as now`);
  await eventually(
    async () => (await watching.query('select min(renewed_at) > $1 as all from nodes', [rows[0].now])).rows,
    ([signs]) => signs?.all,
  );
}

test('a call asks no more of the database among six nodes than among two', { timeout: 600_000 }, async () => {
  const amongTwo = await ofOneCall();
  await Promise.all([3, 4, 5, 6].map(() => cluster.add()));
  // A node looks at the others with each sign of life: after the second from now it has looked.
  for (const _ of ['first', 'second']) await allGaveSigns();
  const amongSix = await ofOneCall();
  expect(amongTwo).toBeGreaterThan(1);
  expect(amongSix / amongTwo).toBeGreaterThan(0.9);
  expect(amongSix / amongTwo).toBeLessThan(1.1);
});
