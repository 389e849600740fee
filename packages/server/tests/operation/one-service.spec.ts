import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshDatabase } from '../support/databases.ts';
import { makeFolders, spawnServer, startServer } from '../support/server.ts';

test('a second service on the database of one that is alive does not start, and the first goes on', async () => {
  const { url } = await freshDatabase('postgres');
  // Without the same key the second would be refused for that.
  const settings = { BROWSERD_DATABASE_URL: url, BROWSERD_SECRET_KEY: randomBytes(32).toString('hex') };
  await using first = await startServer(settings);
  await expect(startServer(settings)).rejects.toThrow(
    /Another browserd uses this database and is alive.*Give this one a database of its own.*set BROWSERD_CLUSTER_ADDRESS on each/,
  );
  const { body } = await first.api.create();
  expect(body.status).toBe('ready');
  expect((await first.api.remove(body.id)).body.status).toBe('closed');
});

test('a service whose place in the database is taken ends, and says why', async () => {
  const database = await freshDatabase('postgres');
  await using folders = await makeFolders({ BROWSERD_DATABASE_URL: database.url });
  const { exited, output } = await spawnServer(folders.env);
  const id = (await readFile(join(folders.env.BROWSERD_DATA_DIR ?? '', 'node-id'), 'utf8')).trim();
  const store = await database.open();
  await store.nodes.boot({ id, bootId: 'another', startedAt: Date.now(), heartbeatAt: Date.now() });
  expect(await exited).toEqual({ code: 75, signal: null });
  expect(output()).toContain('with a copy of this data folder');
});

test('a service whose browsers are all in use is ready, and says that it is full', async () => {
  await using server = await startServer({ BROWSERD_MAX_BROWSERS: '1' });
  const { api } = server;
  const ready = async () => {
    const { status, body } = await api.call('GET', '/health/ready');
    return { status, said: body.status, full: body.checks.capacity.full };
  };
  expect(await ready()).toEqual({ status: 200, said: 'ready', full: false });
  const { body } = await api.create();
  expect(await ready()).toEqual({ status: 200, said: 'ready', full: true });
  expect((await api.create()).status).toBe(429);
  await api.remove(body.id);
  expect((await ready()).full).toBe(false);
});
