/**
 * What a cell of many nodes costs its database: real statements of the store at the rates of 200 nodes with 50 browsers each,
 * against a PostgreSQL of its own that waits for its disk as one in production does. No Chromium.
 *
 *   npm run bench -- cluster [--share 0.1] [--seconds 30]
 *
 * A machine that cannot keep the whole rate beside its database is asked for a share of it; the costs of the whole are the
 * measured ones divided by the share that was kept.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../src/kit/id.ts';
import type { Store } from '../src/store/records.ts';
import { openStore } from '../src/store/store.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { aBrowser } from '../tests/support/samples.ts';
import { type Operation, type Part, ratesOfCell } from './cluster/load.ts';
import type { Order, Report } from './cluster/worker.ts';
import { below, cpuOf, cpuOfEnded } from './cpu.ts';
import { type Row, summarize } from './measure.ts';

export interface ClusterOptions {
  seconds: number;
  /** Of the rates of the whole cell. */
  share: number;
}

const nodes = 200;
const browsersOfNode = 50;
const projects = 20;
const keyHash = 'a hash';
const lease = { ttlMs: 30_000, heartbeatMs: 3000, headStartMs: 1000 };
const longestSeconds = 100;
const worker = new URL('cluster/worker.ts', import.meta.url).pathname;

/** As in production: a commit waits until it is on the disk, and the log has whole pages. */
const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', shared_buffers: '256MB' };

async function seed(store: Store, client: pg.Client): Promise<Omit<Part, 'keyHash' | 'lease'>> {
  const projectIds: string[] = [];
  for (let n = 0; n < projects; n++) projectIds.push((await store.projects.ensure(`project ${n}`)).id);
  const [projectId = ''] = projectIds;
  await store.keys.insert({
    ...{ id: newId('key'), projectId, name: 'bench', role: 'member', hash: keyHash, createdAt: Date.now() },
    ...{ lastUsedAt: null, expiresAt: null, revokedAt: null },
  });
  const boots = Array.from({ length: nodes }, () => ({ id: newId('node'), bootId: newId('node') }));
  const startedAt = Date.now();
  const first = { ...boots[0]!, address: '10.0.0.1:8788', startedAt, heartbeatAt: startedAt, capacity: 60 };
  await store.nodes.join(first, { ...lease, ownBefore: undefined });
  await client.query(
    `insert into nodes select (jsonb_populate_record(n, jsonb_build_object('id', boot.id, 'boot_id', boot.boot_id))).*
     from nodes n, unnest($1::text[], $2::text[]) as boot (id, boot_id)`,
    [boots.slice(1).map(({ id }) => id), boots.slice(1).map(({ bootId }) => bootId)],
  );
  // Of all records the first is as the store writes it, the others are like it.
  const id = newId('browser');
  const now = Date.now();
  const record = aBrowser({
    ...{ id, projectId, nodeId: boots[0]?.id ?? null, holder: boots[0]?.bootId ?? null, status: 'ready' },
    ...{ createdAt: now, readyAt: now, lastActionAt: now, expiresAt: now + 86_400_000, tabs: 1 },
  });
  await store.browsers.insert(record, []);
  const { rows } = await client.query<{ id: string }>(
    `insert into browsers select (jsonb_populate_record(b, jsonb_build_object(
       'id', b.id || n, 'project_id', ($1::text[])[1 + n % $2], 'holder', ($3::text[])[1 + n / $4], 'node_id', ($5::text[])[1 + n / $4]
     ))).* from browsers b, generate_series(0, $6) as n returning id`,
    [
      projectIds,
      projects,
      boots.map(({ bootId }) => bootId),
      browsersOfNode,
      boots.map((boot) => boot.id),
      nodes * browsersOfNode - 1,
    ],
  );
  await client.query('vacuum analyze');
  return { boots, projectIds, browserIds: rows.map((row) => row.id) };
}

/** Each process stands for as many nodes as the others. */
function orders(
  seeded: Omit<Part, 'keyHash' | 'lease'>,
  parts: number,
  given: Pick<Order, 'url' | 'dataDir' | 'seconds'>,
  share: number,
): Order[] {
  const rates = Object.fromEntries(
    Object.entries(ratesOfCell).map(([name, rate]) => [name, (rate * share) / parts]),
  ) as Record<Operation, number>;
  const slice = <T>(items: readonly T[], part: number): T[] => items.filter((_, n) => n % parts === part);
  return Array.from({ length: parts }, (_, part) => ({
    ...given,
    rates,
    keyHash,
    lease,
    projectIds: seeded.projectIds,
    boots: slice(seeded.boots, part),
    browserIds: slice(seeded.browserIds, part),
  }));
}

/** What a child says next. */
async function answer<T>(child: ChildProcess): Promise<T> {
  const [said] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('a process of the bench ended early');
    }),
  ]);
  return said;
}

/** The server's first process, which is the parent of all that work for it. */
async function serverOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = readFileSync(`/proc/${rows[0]?.pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

/** In ms; of those too that served a connection which is closed by now. */
const cpuOfServer = async (pid: number): Promise<number> => cpuOf(pid) + cpuOfEnded(pid) + (await below(pid));

const written = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes);
};

export async function benchCluster({ seconds: asked, share }: ClusterOptions): Promise<Row[]> {
  const seconds = Math.min(asked, longestSeconds);
  await using opened = new AsyncDisposableStack();
  const server = await startPostgres({ settings: durable });
  opened.defer(() => server.stop());
  const dataDir = await mkdtemp(join(tmpdir(), 'browserd-bench-cluster-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const url = await server.newDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  opened.defer(() => client.end());
  const store = await openStore({ databaseUrl: url, dataDir });
  const seeded = await seed(store, client);
  await store.close();

  const parts = Math.max(2, Math.min(4, availableParallelism()));
  const children = Array.from({ length: parts }, () => fork(worker));
  opened.defer(() => children.forEach((child) => void child.kill()));
  const pid = await serverOf(client);
  const given = orders(seeded, parts, { url, dataDir, seconds }, share);
  const all = <T>(order: (child: ChildProcess, n: number) => void): Promise<T[]> =>
    Promise.all(
      children.map((child, n) => {
        const said = answer<T>(child);
        order(child, n);
        return said;
      }),
    );
  await all((child, n) => child.send(given[n] as Order));
  const [cpuBefore, walBefore] = [await cpuOfServer(pid), await written(client)];
  const began = performance.now();
  const reports = await all<Report>((child) => child.send('go'));
  const tookMs = performance.now() - began;
  const [cpu, wal] = [(await cpuOfServer(pid)) - cpuBefore, (await written(client)) - walBefore];
  return told(reports, { share, seconds, tookMs, cpu, wal });
}

function told(
  reports: readonly Report[],
  {
    share,
    seconds,
    tookMs,
    cpu,
    wal,
  }: { share: number; seconds: number; tookMs: number; cpu: number; wal: number },
): Row[] {
  const names = Object.keys(ratesOfCell) as Operation[];
  const doneOf = (name: Operation): number => reports.reduce((sum, { done }) => sum + done[name], 0);
  const wanted = names.reduce((sum, name) => sum + ratesOfCell[name] * share * seconds, 0);
  const kept = names.reduce((sum, name) => sum + doneOf(name), 0) / wanted;
  const ofCell = share * kept;
  const failed = reports.reduce((sum, each) => sum + each.failed, 0);
  const statements = reports.reduce((sum, each) => sum + each.statements, 0) / seconds;
  const cores = cpu / tookMs;
  const megabytes = wal / 1e6 / (tookMs / 1000);
  const one = (what: string, value: number, unit: string): Row => ({
    ...(summarize('cluster', { [what]: [value] }, unit)[0] as Row),
  });
  console.log(
    `  ${nodes} nodes with ${browsersOfNode} browsers each; ${Math.round(share * 100)} % of their rate was asked for over ${seconds} s, ` +
      `and ${Math.round(kept * 100)} % of that was kept${failed > 0 ? `; ${failed} operations failed (${reports.find(({ failure }) => failure)?.failure})` : ''}.`,
  );
  if (kept < 0.95)
    console.log(
      `  This machine did not keep that rate beside its database. Ask for less: --share ${(ofCell * 0.8).toPrecision(1)}`,
    );
  for (const name of names) {
    const took = reports.flatMap((each) => each.took[name]).sort((a, b) => a - b);
    const at = (q: number): string => (took[Math.floor(took.length * q)] ?? Number.NaN).toFixed(1);
    const rate = (doneOf(name) / seconds).toFixed(1);
    console.log(
      `  ${name.padEnd(12)} ${rate.padStart(8)} /s of ${String(ratesOfCell[name]).padStart(5)}   p50 ${at(0.5)} ms   p95 ${at(0.95)} ms`,
    );
  }
  return [
    one('statements', statements, '/s'),
    one('CPU of PostgreSQL', cores * 100, '% of a core'),
    one('write-ahead log', megabytes, 'MB/s'),
    one('statements of the whole cell', statements / ofCell, '/s'),
    one('CPU of PostgreSQL for the whole cell', (cores / ofCell) * 100, '% of a core'),
    one('write-ahead log of the whole cell', megabytes / ofCell, 'MB/s'),
  ];
}
