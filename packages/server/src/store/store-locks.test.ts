/**
 * Claims, creates, burials, heartbeats and the reaper against each other on PostgreSQL, one order after the other: a third
 * connection holds a table that the one in question needs next, so that it stands still in the midst of its transaction.
 */
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import type { BrowserRecord } from './records.ts';

async function fresh() {
  const database = await freshDatabase('postgres');
  // Two processes.
  const [here, there] = [await database.open(), await database.open()];
  const connected = async () => {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  const [hand, eye] = [await connected(), await connected()];
  const { id: projectId } = await here.projects.ensure('default');
  const boot = { id: 'node_a', bootId: 'a', startedAt: 1, heartbeatAt: 1, address: 'a:1' };
  await here.nodes.join(boot, { ttlMs: 60_000, ownBefore: undefined });
  const insert = async (fields: Partial<BrowserRecord>) => {
    const browser = aBrowser({ projectId, ...fields });
    expect(await here.browsers.insert(browser, [])).toBe('inserted');
    return browser;
  };
  return {
    here,
    there,
    hand,
    projectId,
    insert,
    claim: () => here.placement.claim({ bootId: 'a', nodeId: 'node_a', limit: 5, headStartMs: 0 }),
    bury: () => there.nodes.bury('a', 'lease', 0),
    /** What needs to write to the table stands still until the return value is called. */
    async hold(table: string) {
      await hand.query(`begin; lock table ${table} in exclusive mode`);
      return () => hand.query('commit');
    },
    /** So many transactions wait for a lock. */
    async waiting(count: number) {
      const held = async () => {
        const { rows } = await eye.query(
          `select count(distinct pid)::int as count from pg_locks
           where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
        );
        return rows[0].count;
      };
      await expect.poll(held, { timeout: 10_000 }).toBe(count);
    },
    /** Browsers that a boot holds which is gone. */
    async orphans() {
      const { rows } = await eye.query(
        `select browsers.id from browsers left join nodes on nodes.boot_id = browsers.holder
         where holder is not null and (nodes.state is null or nodes.state = 'gone')`,
      );
      return rows.map(({ id }) => id);
    },
  };
}

test('a burial waits for a claim that is under way, and takes what it got', async () => {
  const { hold, waiting, claim, bury, insert, orphans, here } = await fresh();
  const { id } = await insert({ queuedAt: 1 });
  const letGo = await hold('browsers');
  const claimed = claim();
  await waiting(1);
  const buried = bury();
  await waiting(2);
  await letGo();
  expect(await claimed).toMatchObject([{ id, holder: 'a', epoch: 2 }]);
  expect(await buried).toMatchObject([{ id, holder: null, epoch: 3 }]);
  expect(await orphans()).toEqual([]);
  expect(await here.browsers.get(id)).toMatchObject({ holder: null, status: 'creating', epoch: 3 });
});

test('a claim waits for a burial that is under way, and gets nothing', async () => {
  const { hold, waiting, claim, bury, insert, orphans, here } = await fresh();
  const { id } = await insert({ queuedAt: 1 });
  const letGo = await hold('deliveries');
  const buried = bury();
  await waiting(1);
  const claimed = claim();
  await waiting(2);
  await letGo();
  expect(await buried).toEqual([]);
  expect(await claimed).toEqual([]);
  expect(await orphans()).toEqual([]);
  expect(await here.browsers.get(id)).toMatchObject({ holder: null, epoch: 1 });
});

test('a create and a burial, in either order, leave no browser with a holder that is gone', async () => {
  const { hold, waiting, bury, orphans, here, projectId } = await fresh();
  const browser = aBrowser({ projectId, holder: 'a' });
  const letGo = await hold('browsers');
  const inserted = here.browsers.insert(browser, []);
  await waiting(1);
  const buried = bury();
  await waiting(2);
  await letGo();
  expect(await inserted).toBe('inserted');
  expect(await buried).toMatchObject([{ id: browser.id, holder: null, epoch: 2 }]);
  expect(await orphans()).toEqual([]);

  const again = { id: 'node_b', bootId: 'b', startedAt: 1, heartbeatAt: 1, address: 'b:1' };
  await here.nodes.join(again, { ttlMs: 60_000, ownBefore: undefined });
  const letGoAgain = await hold('deliveries');
  const buriedFirst = here.nodes.bury('b', 'lease', 0);
  await waiting(1);
  const late = here.browsers.insert(aBrowser({ projectId, holder: 'b' }), []);
  await waiting(2);
  await letGoAgain();
  expect(await buriedFirst).toEqual([]);
  expect(await late).toBe('notUp');
  expect(await orphans()).toEqual([]);
});

test('a resume and a burial, in either order, leave no browser with a holder that is gone', async () => {
  const { hold, waiting, bury, orphans, here, insert } = await fresh();
  const [one, two] = [await insert({ status: 'stopped' }), await insert({ status: 'stopped' })];
  const resume = ({ id }: BrowserRecord) =>
    here.browsers.change(id, { status: 'stopped' }, { status: 'resuming', holder: 'a', epoch: 2 });
  const letGo = await hold('browsers');
  const resumed = resume(one);
  await waiting(1);
  const buried = bury();
  await waiting(2);
  await letGo();
  expect(await resumed).toMatchObject({ holder: 'a', epoch: 2 });
  expect(await buried).toMatchObject([{ id: one.id, holder: null, epoch: 3 }]);
  await expect(resume(two)).rejects.toThrow(/takes no browsers any more/);
  expect(await orphans()).toEqual([]);
});

test('without the lock, a claim that only looks whether its node is up leaves an orphan', async () => {
  const { hand, bury, insert, orphans } = await fresh();
  const { id } = await insert({ queuedAt: 1 });
  await hand.query('begin');
  const { rowCount } = await hand.query(
    `update browsers set holder = 'a', epoch = epoch + 1 where id = $1 and holder is null
     and exists (select 1 from nodes where boot_id = 'a' and state = 'up')`,
    [id],
  );
  expect(rowCount).toBe(1);
  expect(await bury()).toEqual([]);
  await hand.query('commit');
  expect(await orphans()).toEqual([id]);
});

test('a heartbeat does not wait for a claim or a create; with a stronger lock it would', async () => {
  const { hold, waiting, claim, insert, here, there, hand } = await fresh();
  await insert({ queuedAt: 1 });
  const letGo = await hold('browsers');
  const claimed = claim();
  await waiting(1);
  expect(await there.nodes.renew({ bootId: 'a' }, { timeoutMs: 10_000 })).toBeDefined();
  await letGo();
  expect(await claimed).toHaveLength(1);

  await hand.query("begin; select 1 from nodes where boot_id = 'a' for share");
  const renewed = here.nodes.renew({ bootId: 'a' }, { timeoutMs: 10_000 });
  await waiting(1);
  await hand.query('commit');
  expect(await renewed).toBeDefined();
});

test('the reaper leaves out a boot that is just being renewed, and then finds it alive', async () => {
  const { hand, here, orphans } = await fresh();
  const lease = { ttlMs: 10_000, heartbeatMs: 1000, headStartMs: 0 };
  const itsTime = () =>
    hand.query(`insert into turns (name, at, calm_since) values ('reap', ms() - 1000, ms() - 60000)
      on conflict (name) do update set at = excluded.at, calm_since = excluded.calm_since`);
  await hand.query(`create function ms() returns bigint language sql as
    $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$`);
  await hand.query('update nodes set renewed_at = ms() - 20000');
  await itsTime();
  await hand.query('begin; update nodes set renewed_at = ms()');
  expect(await here.nodes.reap(lease)).toEqual([]);
  await hand.query('commit');
  await itsTime();
  expect(await here.nodes.reap(lease)).toEqual([]);
  expect(await here.nodes.list()).toMatchObject([{ bootId: 'a', state: 'up' }]);
  await hand.query('update nodes set renewed_at = ms() - 20000');
  await itsTime();
  expect(await here.nodes.reap(lease)).toEqual(['a']);
  expect(await orphans()).toEqual([]);
});

test('what a boot writes late about a browser that was taken from it is dropped', async () => {
  const { here, there, insert, bury } = await fresh();
  const { id } = await insert({ status: 'ready', holder: 'a' });
  const late = { browserId: id, epoch: 1, at: 5, data: { tabs: [] } };
  expect(await here.checkpoints.put(late)).toBe(true);
  await bury();
  expect(await here.checkpoints.put({ ...late, at: 6 })).toBe(false);
  expect(await here.browsers.change(id, { epoch: 1 }, { vault: 'bytes_1', vaultAt: 6 })).toBeUndefined();
  expect(await here.browsers.change(id, { holder: 'a' }, { tabs: 3 })).toBeUndefined();
  const items = { browserId: id, origin: 'https://a.example', at: 6, bytes: 1, items: new Uint8Array([1]) };
  expect(await here.localStorage.put({ ...items, epoch: 1 })).toBe(false);
  expect(await there.checkpoints.get(id)).toMatchObject({ at: 5 });
  expect(await there.browsers.get(id)).toMatchObject({ vault: null, tabs: 0, epoch: 2, holder: null });
});
