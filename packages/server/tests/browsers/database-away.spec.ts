import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/kit/log.ts';
import { startService } from '../../src/service.ts';
import { createApi } from '../support/client.ts';
import { type DatabaseKind, databases, freshDatabase } from '../support/databases.ts';
import { chromiumOf, processesOf } from '../support/leaks.ts';
import { eventually, makeFolders, startServer, type TestServer } from '../support/server.ts';

/** Takes the database away from the service until it is disposed, as a crash or a lock of another process does. */
async function takeAway(kind: DatabaseKind, url: string): Promise<AsyncDisposable> {
  if (kind === 'sqlite') {
    const holder = new DatabaseSync(url.slice('sqlite:'.length));
    // Readers go on: what fails is the change of the record.
    holder.exec('begin immediate');
    return {
      async [Symbol.asyncDispose]() {
        holder.close();
      },
    };
  }
  // Nothing goes on: what fails is the look at the record.
  const name = new URL(url).pathname.slice(1);
  const admin = new Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await admin.connect();
  await admin.query(`alter database "${name}" with allow_connections false`);
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  return {
    async [Symbol.asyncDispose]() {
      await admin.query(`alter database "${name}" with allow_connections true`);
      await admin.end();
    },
  };
}

/** By its own count: no key can be looked up while the database is away. */
const slotsUsed = async ({ api }: TestServer): Promise<number> => {
  const { body } = await api.call('GET', '/metrics');
  return Number(/^browserd_capacity_used (\d+)$/m.exec(body)?.[1]);
};

describe.each(databases)('a browser whose Chromium ends while the database (%s) is away', (kind) => {
  test('gives its slot back, and another browser can have it', async () => {
    const database = await freshDatabase(kind);
    await using server = await startServer({
      BROWSERD_MAX_BROWSERS: '1',
      BROWSERD_METRICS: 'open',
      BROWSERD_DATABASE_URL: database.url,
    });
    const { api, scratchDir } = server;
    const { body: crashed } = await api.create();
    expect(await slotsUsed(server)).toBe(1);
    {
      await using _away = await takeAway(kind, database.url);
      process.kill(chromiumOf(scratchDir)[0] as number, 'SIGKILL');
      await eventually(
        () => slotsUsed(server),
        (used) => used === 0,
      );
    }
    const next = await eventually(
      () => api.create(),
      ({ status }) => status !== 503,
    );
    expect(next).toMatchObject({ status: 201, body: { status: 'ready' } });
    expect(await slotsUsed(server)).toBe(1);
    expect((await api.remove(crashed.id)).status).toBe(200);
    expect(await slotsUsed(server)).toBe(1);
    await api.remove(next.body.id);
    expect(await slotsUsed(server)).toBe(0);
  });
});

test('a shutdown while the database is away leaves no Chromium', async () => {
  const database = await freshDatabase('postgres');
  await using folders = await makeFolders({
    BROWSERD_DATABASE_URL: database.url,
    BROWSERD_LOG_LEVEL: 'silent',
  });
  const config = readConfig(folders.env);
  const service = await startService(config, createLog(config.logLevel), process.env);
  const key = (await readFile(join(config.dataDir, 'admin-key'), 'utf8')).trim();
  await createApi(service.url, key).create();
  expect(processesOf(folders.scratchDir)).not.toEqual([]);
  await using _away = await takeAway('postgres', database.url);
  // What was to be written could not be, and the service may say so.
  await service.close().catch(() => undefined);
  expect(processesOf(folders.scratchDir)).toEqual([]);
});
