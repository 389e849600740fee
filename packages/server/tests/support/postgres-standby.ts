import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { makeCluster, makePlace, startIn, type TestPostgres, user } from './postgres.ts';
import { eventually } from './server.ts';

/** A PostgreSQL whose commits wait for its standby, as an operator has it who may lose a machine but no record. */
export interface Replicated extends AsyncDisposable {
  primary: TestPostgres;
  standby: TestPostgres;
  /** The standby takes the place of a primary that is gone. */
  promote(): Promise<void>;
}

const run = promisify(execFile);
const standbyName = 'standby';

export async function startReplicated(): Promise<Replicated> {
  await using opened = new AsyncDisposableStack();
  const places = [makePlace(), makePlace()] as const;
  for (const { folder } of places) opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  const [first, second] = places;
  await makeCluster(first.bin, first.data);
  // Of data that no server has run on, a copy is as good as the data.
  for (const [program, ...args] of [
    ['cp', '-a', `${first.data}/.`, second.data],
    ['touch', join(second.data, 'standby.signal')],
  ] as const)
    await run(program, args, { ...user, cwd: '/' });
  const primary = await startIn(first, { wal_keep_size: '1GB', synchronous_commit: 'on' });
  opened.defer(() => primary.stop());
  const standby = await startIn(second, {
    primary_conninfo: `host=${first.socket} user=postgres application_name=${standbyName}`,
  });
  opened.defer(() => standby.stop());
  await ask(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${standbyName}'`);
    await client.query('select pg_reload_conf()');
    await eventually(
      async () => (await client.query('select sync_state from pg_stat_replication')).rows,
      ([attached]) => attached?.sync_state === 'sync',
    );
  });
  const closing = opened.move();
  return {
    primary,
    standby,
    promote: () => ask(standby.url, (client) => client.query('select pg_promote()')),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function ask(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
