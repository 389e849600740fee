import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anArtifact } from '../../tests/support/samples.ts';
import { openPostgres } from './databases/postgres.ts';
import { openSqlite } from './databases/sqlite.ts';
import type { BrowserRecord } from './records.ts';

describe.each(databases)('nodes on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { db } =
      kind === 'sqlite'
        ? await openSqlite(database.url.slice('sqlite:'.length))
        : openPostgres(database.url, () => undefined);
    onTestFinished(() => db.destroy());
    const { id: projectId } = await store.projects.ensure('default');
    const join = async (bootId: string, { id = `node of ${bootId}`, address = `${bootId}:1` } = {}) =>
      await store.nodes.join(
        { id, bootId, startedAt: 1, heartbeatAt: 1, address },
        { ttlMs: 60_000, ownBefore: undefined },
      );
    const insert = async (fields: Partial<BrowserRecord>) => {
      const browser = aBrowser({ projectId, ...fields });
      expect(await store.browsers.insert(browser, [])).toBe('inserted');
      return browser;
    };
    /** As if nothing had been heard of it for so long. */
    const silence = async (bootId: string, ms: number) => {
      await sql`update nodes set renewed_at = renewed_at - ${ms} where boot_id = ${bootId}`.execute(db);
    };
    /** As if chores had been done for so long, or not for so long. */
    const turnsBegan = async (ms: number) => {
      await sql`update turns set calm_since = calm_since - ${ms}, at = at - 1000`.execute(db);
    };
    return { store, db, projectId, join, insert, silence, turnsBegan };
  };

  test('have one time, that of the database, whatever their own is', async () => {
    const { store, join } = await fresh();
    const before = await store.nodes.clock();
    await join('a');
    const [node] = await store.nodes.list();
    const after = await store.nodes.clock();
    expect(node?.renewedAt).toBeGreaterThanOrEqual(before);
    expect(node?.renewedAt).toBeLessThanOrEqual(after);
    expect(node?.age).toBeLessThanOrEqual(after - before);
    const renewed = await store.nodes.renew({ bootId: 'a', used: 2, warm: 3, capacity: 4 });
    expect(renewed?.at).toBeGreaterThanOrEqual(after);
    expect(await store.nodes.list()).toMatchObject([
      { id: 'node of a', state: 'up', address: 'a:1', used: 2, warm: 3, capacity: 4 },
    ]);
  });

  test('that are buried are gone, and what they held waits for another with a new epoch', async () => {
    const { store, join, insert, projectId } = await fresh();
    await join('a');
    const ready = await insert({ status: 'ready', holder: 'a', metadata: { team: 'red' } });
    const creating = await insert({ status: 'creating', holder: 'a' });
    const stopped = await insert({ status: 'stopped' });
    const moved = await store.nodes.bury('a', 'crash', 1000);
    expect(moved.map(({ id }) => id)).toEqual([ready.id, creating.id]);
    const why = 'the service on its machine ended unexpectedly';
    expect(await store.browsers.get(ready.id)).toMatchObject({
      ...{ status: 'recovering', holder: null, epoch: 2, serviceDeaths: 1, statusReason: why },
    });
    expect(await store.browsers.get(creating.id)).toMatchObject({
      ...{ status: 'creating', holder: null, epoch: 2, serviceDeaths: 0, statusReason: null },
    });
    expect(await store.browsers.get(stopped.id)).toMatchObject({ status: 'stopped', epoch: 1 });
    const events = await store.events.list({ projectId, limit: 10 });
    expect(events).toMatchObject([
      { browserId: ready.id, type: 'browser.recovering', data: { reason: why, epoch: 2 } },
    ]);
    const found = { projectId, status: ['recovering'], metadata: { team: 'red' }, limit: 10 };
    expect((await store.browsers.list(found)).records).toHaveLength(1);
    expect(await store.nodes.renew({ bootId: 'a' })).toBeUndefined();
    expect(await store.nodes.drain('a')).toBe(false);
    expect(await store.nodes.bury('a', 'lease', 1000)).toEqual([]);
  });

  test('are buried by their own next boot', async () => {
    const { store, join, insert } = await fresh();
    await join('a', { id: 'node_1', address: 'here:1' });
    const { id } = await insert({ status: 'ready', holder: 'a', nodeId: 'node_1' });
    const next = { id: 'node_1', bootId: 'b', startedAt: 2, heartbeatAt: 2, address: 'here:1' };
    expect(await store.nodes.join(next, { ttlMs: 60_000, ownBefore: 'a' })).toEqual([]);
    expect(await store.nodes.renew({ bootId: 'a' })).toBeUndefined();
    expect(await store.nodes.list()).toMatchObject([{ id: 'node_1', bootId: 'b', state: 'up' }]);
    expect(await store.browsers.get(id)).toMatchObject({ status: 'recovering', holder: null });
    await join('c');
    const by = { limit: 5, headStartMs: 60_000 };
    expect(await store.placement.claim({ ...by, bootId: 'c', nodeId: 'node of c' })).toEqual([]);
    expect(await store.placement.claim({ ...by, bootId: 'b', nodeId: 'node_1' })).toMatchObject([{ id }]);
  });

  test('do not join where a copy of their folder is alive elsewhere, nor beside one that works alone', async () => {
    const { store, join, silence } = await fresh();
    await join('a', { id: 'node_1', address: 'there:1' });
    const copy = { id: 'node_1', bootId: 'b', startedAt: 2, heartbeatAt: 2, address: 'here:1' };
    const about = { ttlMs: 60_000, ownBefore: 'a' };
    expect(await store.nodes.join(copy, about)).toMatchObject([{ bootId: 'a', address: 'there:1' }]);
    expect(
      await store.nodes.join({ ...copy, address: 'there:1' }, { ...about, ownBefore: 'z' }),
    ).toMatchObject([{ bootId: 'a' }]);
    await silence('a', 60_001);
    expect(await store.nodes.join(copy, about)).toEqual([]);
    await store.nodes.boot({ id: 'node_2', bootId: 'alone', startedAt: 1, heartbeatAt: 1 });
    const third = { ...copy, id: 'node_3', bootId: 'c' };
    expect(await store.nodes.join(third, about)).toMatchObject([{ bootId: 'alone', address: null }]);
    await store.nodes.leave('alone');
    expect(await store.nodes.join(third, about)).toEqual([]);
  });

  test('are reaped once their lease is over, by one that looks, and only after a calm time', async () => {
    const { store, join, insert, silence, turnsBegan } = await fresh();
    const lease = { ttlMs: 10_000, heartbeatMs: 1000, headStartMs: 1000 };
    await join('a');
    await join('b');
    const { id } = await insert({ status: 'ready', holder: 'a' });
    await silence('a', 10_001);
    expect(await store.nodes.reap(lease)).toEqual([]);
    await turnsBegan(10_001);
    const looks = await Promise.all([store.nodes.reap(lease), store.nodes.reap(lease)]);
    expect(looks.flat()).toEqual(['a']);
    expect(await store.browsers.get(id)).toMatchObject({ status: 'recovering', holder: null, epoch: 2 });
    const by = { bootId: 'b', nodeId: 'node of b', limit: 5, headStartMs: 1000 };
    expect(await store.placement.claim(by)).toMatchObject([{ id, holder: 'b', epoch: 3 }]);
  });

  test('have a full lease again after a time in which none of them could look', async () => {
    const { store, join, silence, turnsBegan, db } = await fresh();
    const lease = { ttlMs: 10_000, heartbeatMs: 1000, headStartMs: 1000 };
    await join('a');
    await store.nodes.reap(lease);
    await turnsBegan(60_000);
    await sql`update turns set at = at - 6000`.execute(db);
    await silence('a', 20_000);
    expect(await store.nodes.reap(lease)).toEqual([]);
    await turnsBegan(5000);
    expect(await store.nodes.reap(lease)).toEqual([]);
    await turnsBegan(5001);
    expect(await store.nodes.reap(lease)).toEqual(['a']);
  });

  test('that work alone take over what their boot before held, as it is, and bury all others', async () => {
    const { store, insert, join } = await fresh();
    await join('far');
    await store.nodes.boot({ id: 'node_1', bootId: 'a', startedAt: 1, heartbeatAt: 1 });
    const ready = await insert({ status: 'ready', holder: 'a', nodeId: 'node_1' });
    const old = await insert({ status: 'ready', nodeId: 'node_1' });
    const theirs = await insert({ status: 'ready', holder: 'far' });
    const next = { id: 'node_1', bootId: 'b', startedAt: 2, heartbeatAt: 2 };
    const hearing = { since: Date.now() + 1000, silent: [], ownBefore: 'a' };
    expect(await store.nodes.boot(next, hearing)).toEqual([]);
    for (const { id } of [ready, old])
      expect(await store.browsers.get(id)).toMatchObject({ status: 'ready', holder: 'b', epoch: 1 });
    expect(await store.browsers.get(theirs.id)).toMatchObject({ status: 'recovering', holder: null });
    expect(await store.nodes.list()).toMatchObject([
      { bootId: 'far', state: 'gone' },
      { bootId: 'b', state: 'up' },
    ]);
  });

  test('take nothing more once they drain, and leave nothing behind when they go', async () => {
    const { store, join, insert, projectId } = await fresh();
    await join('a');
    await join('b');
    const kept = await insert({ status: 'ready', holder: 'a' });
    const stopped = await insert({ status: 'stopped' });
    expect(await store.nodes.drain('a')).toBe(true);
    expect(await store.browsers.insert(aBrowser({ projectId, holder: 'a' }), [])).toBe('notUp');
    await expect(
      store.browsers.change(stopped.id, { status: 'stopped' }, { status: 'resuming', holder: 'a', epoch: 2 }),
    ).rejects.toThrow(/takes no browsers any more/);
    expect(await store.nodes.renew({ bootId: 'a' })).toBeDefined();
    expect(await store.browsers.get(kept.id)).toMatchObject({ holder: 'a' });
    await store.nodes.leave('a');
    const by = { bootId: 'b', nodeId: 'node of b', limit: 5, headStartMs: 1000 };
    expect(await store.placement.claim(by)).toMatchObject([{ id: kept.id, serviceDeaths: 0 }]);
  });

  test('that are gone for good are forgotten, with what was loose on their disks and on no other', async () => {
    const { store, join, db } = await fresh();
    const hour = 3_600_000;
    for (const bootId of ['a', 'b']) {
      await join(bootId);
      for (const nodeId of [`node of ${bootId}`, 'shared'])
        await store.artifacts.announce(`${bootId} ${nodeId}`, { nodeId, bootId });
    }
    const left = async () =>
      (await db.selectFrom('loose_blobs').select('id').orderBy('id').execute()).map(({ id }) => id);
    const all = ['a node of a', 'a shared', 'b node of b', 'b shared'];
    expect(await store.nodes.forgetGone(-hour)).toEqual({ nodes: 0, blobs: 0 });
    await store.nodes.bury('a', 'lease', 0);
    expect(await store.nodes.forgetGone(hour)).toEqual({ nodes: 0, blobs: 0 });
    expect(await left()).toEqual(all);
    // By a clock that is an hour ahead it has been gone for long.
    expect(await store.nodes.forgetGone(-hour)).toEqual({ nodes: 1, blobs: 1 });
    expect(await store.nodes.list()).toMatchObject([{ id: 'node of b', state: 'up' }]);
    expect(await left()).toEqual(all.slice(1));
    // Records of bytes on its disk may go later than it.
    await store.artifacts.announce('late', { nodeId: 'node of a', bootId: 'a' });
    expect(await store.nodes.forgetGone(-hour)).toEqual({ nodes: 0, blobs: 1 });
    expect(await join('c', { id: 'node of a' })).toEqual([]);
  });

  test('that had something under way are remembered until that was taken over', async () => {
    const { store, join, insert } = await fresh();
    await join('a');
    await join('b');
    const browser = await insert({ status: 'ready', holder: 'a' });
    const made = anArtifact(browser, { kind: 'recording', nodeId: 'node of a', bootId: 'a' });
    expect(await store.artifacts.insert(made, null)).toBe('inserted');
    await store.nodes.bury('a', 'lease', 0);
    expect(await store.nodes.forgetGone(-1000)).toMatchObject({ nodes: 0 });
    expect(await store.artifacts.inheritLost('b', 'recording', -1000)).toHaveLength(1);
    expect(await store.nodes.forgetGone(-1000)).toMatchObject({ nodes: 1 });
  });

  test('do a chore in turn: once in a period, whoever asks', async () => {
    const { store, db } = await fresh();
    const take = () => store.turns.take('sweep', 5000, 20_000);
    const first = await Promise.all([take(), take(), take()]);
    const [given] = first.filter((turn) => turn !== undefined);
    expect(first.filter(Boolean)).toHaveLength(1);
    expect(given?.calmSince).toBe(given?.now);
    await sql`update turns set at = at - 5000`.execute(db);
    expect(await take()).toMatchObject({ calmSince: given?.calmSince });
    await sql`update turns set at = at - 20001`.execute(db);
    const afterGap = await take();
    expect(afterGap?.calmSince).toBe(afterGap?.now);
    expect(await store.turns.take('overdue', 5000)).toBeDefined();
  });

  test('of a claim only the home has a head start, when it may be back', async () => {
    const { store, join, insert, db } = await fresh();
    for (const boot of ['a', 'b', 'c']) await join(boot);
    const { id } = await insert({ status: 'ready', holder: 'a', nodeId: 'node of c' });
    await store.nodes.bury('a', 'crash', 60_000);
    const claim = (boot: string, limit = 5) =>
      store.placement.claim({ bootId: boot, nodeId: `node of ${boot}`, limit, headStartMs: 60_000 });
    expect(await claim('b')).toEqual([]);
    expect(await claim('c', 0)).toEqual([]);
    expect(await claim('a')).toEqual([]);
    expect(await claim('c')).toMatchObject([{ id, holder: 'c', epoch: 3, queuedAt: null }]);
    await store.nodes.bury('c', 'crash', 60_000);
    await sql`update browsers set queued_at = queued_at - 60000`.execute(db);
    expect(await claim('b')).toMatchObject([{ id, holder: 'b', epoch: 5 }]);
  });
});
