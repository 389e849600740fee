import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '../../src/service.ts';
import { connectWithKey } from '../support/cdp-client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { buildService, type Changes } from '../support/other-service.ts';
import { eventually, untilStatus } from '../support/server.ts';

/**
 * An upgrade halfway: a node of this version beside one of the next, which is built from these sources. The next one adds a
 * table, and columns that it fills, as the rules for migrations allow: what is there stays, and the floor stays where it is.
 */
const nextVersion = `${version}-next`;
const itsNote = 'of the next version';
const nextOne: Changes = {
  'service.ts': [[`export const version = '${version}';`, `export const version = '${nextVersion}';`]],
  'store/migrations/900-notes.ts': `
    export const notes = () => ({
      async up(db) {
        for (const table of ['browsers', 'nodes', 'events', 'checkpoints'])
          await db.schema.alterTable(table).addColumn('note', 'text').execute();
        await db.schema.createTable('notes').addColumn('id', 'text', (c) => c.primaryKey()).execute();
      },
    });`,
  'store/migrations/migrations.ts': [
    [
      "import { records } from './001-records.ts';",
      "import { records } from './001-records.ts';\nimport { notes } from './900-notes.ts';",
    ],
    ['\n});', "\n  '900-notes': notes(),\n});"],
  ],
  'browsers/record/new-record.ts': [['vaultAt: null,', `vaultAt: null, note: '${itsNote}',`]],
  'store/tables/nodes.ts': [['zone: null,', `zone: null, note: '${itsNote}',`]],
};

let cluster: TestCluster;
/** Upgraded, in its place. */
let next: TestNode;
let before: TestNode;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  const { service } = opened.use(await buildService(nextOne));
  cluster = opened.use(await startCluster({ nodes: 2, settings: { BROWSERD_MAX_BROWSERS: '4' } }));
  [next, before] = cluster.nodes as [TestNode, TestNode];
  expect(await next.stop()).toMatchObject({ code: 0 });
  next.how.service = service;
  await next.start();
  expect(await newestMigration()).toBe('900-notes');
});
afterAll(() => opened.disposeAsync());

const newestMigration = async () =>
  (await cluster.sql<{ name: string }>('select max(name) as name from kysely_migration'))[0]?.name;

const execute = (node: TestNode, id: string, code: string) =>
  node.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

const leavesCookie = `await context.addCookies([{ name: 'kept', value: '1', url: 'http://site.test' }])`;
const cookieNames = 'return (await context.cookies()).map(({ name }) => name)';

async function browserOn(node: TestNode): Promise<string> {
  const { status, body } = await node.api.create();
  expect([status, await cluster.holderOf(body.id)]).toEqual([201, node]);
  return body.id;
}

const noteOf = async (table: 'browsers' | 'nodes', id: string) =>
  (await cluster.sql<{ note: string | null }>(`select note from ${table} where id = $1`, [id]))[0]?.note;

test('both are seen at each of them, with their versions', async () => {
  for (const node of [next, before]) {
    const { items } = (await node.api.call('GET', '/v1/nodes')).body;
    const seen = items.map((item: { id: string; state: string; version: string }) => [
      item.id,
      item.state,
      item.version,
    ]);
    expect(Object.fromEntries(seen.map(([id, ...about]: string[]) => [id, about]))).toEqual({
      [await next.id()]: ['up', nextVersion],
      [await before.id()]: ['up', version],
    });
  }
  expect(await noteOf('nodes', await next.id())).toBe(itsNote);
});

test('each answers for the browsers of the other', async () => {
  for (const [holder, asked] of [
    [next, before],
    [before, next],
  ] as const) {
    const id = await browserOn(holder);
    expect((await execute(asked, id, `${leavesCookie}; ${cookieNames}`)).body).toMatchObject({
      success: true,
      result: ['kept'],
    });
    const client = await connectWithKey(asked.api, id);
    expect(await client.send('Browser.getVersion')).toMatchObject({ protocolVersion: '1.3' });
    client.socket.close();
    expect((await asked.api.patch(id, { name: 'changed elsewhere' })).status).toBe(200);
    expect((await holder.api.get(id)).body).toMatchObject({ id, name: 'changed elsewhere' });
    expect((await asked.api.stop(id)).body).toMatchObject({ status: 'stopped' });
    // Nothing holds it now: the node that is asked does, whichever version had it before.
    expect((await asked.api.resume(id)).body).toMatchObject({ status: 'ready' });
    expect(await cluster.holderOf(id)).toBe(asked);
    expect((await execute(holder, id, cookieNames)).body).toMatchObject({ result: ['kept'] });
    const { body } = await holder.api.remove(id);
    expect(body.receipt.processesEnded).toBeGreaterThan(0);
  }
});

test('a create that is sent to both with one key makes one browser', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all([next, before, next, before].map(({ api }) => api.create({}, key)));
  const [first] = answers;
  expect(first).toMatchObject({ status: 201 });
  for (const { body } of answers) expect(body).toEqual(first?.body);
  await before.api.remove(first?.body.id);
});

test('browsers are handed over from the next version to this one, and back', async () => {
  const id = await browserOn(next);
  expect(await noteOf('browsers', id)).toBe(itsNote);
  for (const [from, to] of [
    [next, before],
    [before, next],
  ] as const) {
    await execute(from, id, leavesCookie);
    expect(await from.stop()).toMatchObject({ code: 0 });
    await untilStatus(to.api, id, 'ready');
    expect(await cluster.holderOf(id)).toBe(to);
    expect((await execute(to, id, cookieNames)).body).toMatchObject({ result: ['kept'] });
    await from.start();
  }
  // What this version does not know, it has left as it was.
  expect(await noteOf('browsers', id)).toBe(itsNote);
  await before.api.remove(id);
});

test('a node of this version that is killed comes up again on the tables of the next, and its browser comes back', async () => {
  const id = await browserOn(before);
  await execute(before, id, leavesCookie);
  // From a stop on, what it had is in the database.
  for (const move of ['stop', 'resume'] as const) expect((await before.api[move](id)).status).toBe(200);
  const { epoch } = (await before.api.get(id)).body;
  const { boot } = await bootOf(before);
  await before.kill();
  await before.start();
  expect(await newestMigration()).toBe('900-notes');
  expect(await bootOf(before)).toMatchObject({ state: 'up', version });
  expect((await bootOf(before)).boot).not.toBe(boot);
  await eventually(
    () => next.api.get(id),
    ({ body }) => body.status === 'ready' && body.epoch > epoch,
  );
  expect((await execute(before, id, cookieNames)).body).toMatchObject({ result: ['kept'] });
  expect((await before.api.remove(id)).status).toBe(200);
  const made = await browserOn(before);
  expect(await noteOf('browsers', made)).toBeNull();
  await next.api.remove(made);
});

async function bootOf(node: TestNode) {
  const [row] = await cluster.sql<{ boot: string; state: string; version: string }>(
    'select boot_id as boot, state, version from nodes where id = $1',
    [await node.id()],
  );
  return row ?? { boot: undefined };
}
