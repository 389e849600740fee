import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import type { BrowserRecord } from './records.ts';

describe.each(databases)('browsers that wait for a holder on %s', (kind) => {
  const fresh = async () => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    for (const bootId of ['a', 'b'])
      await store.nodes.join(
        { id: `node of ${bootId}`, bootId, startedAt: 1, heartbeatAt: 1, address: `${bootId}:1` },
        { ttlMs: 60_000, ownBefore: undefined },
      );
    const insert = async (fields: Partial<BrowserRecord>) => {
      const browser = aBrowser({ projectId, ...fields });
      expect(await store.browsers.insert(browser, [])).toBe('inserted');
      return browser;
    };
    const claim = (bootId: string, limit: number) =>
      store.placement.claim({ bootId, nodeId: `node of ${bootId}`, limit, headStartMs: 0 });
    return { store, projectId, insert, claim };
  };

  test('are claimed in a fair order: what ran before, then projects in turn', async () => {
    const { store, insert, claim } = await fresh();
    const position = async (id = '') => (await store.placement.positions([id])).get(id);
    const red = (await store.projects.ensure('red')).id;
    const blue = (await store.projects.ensure('blue')).id;
    const reds = [];
    for (let n = 0; n < 6; n++) reds.push(await insert({ projectId: red, queuedAt: n }));
    const lone = await insert({ projectId: blue, queuedAt: 6 });
    const ran = await insert({ projectId: red, status: 'ready', holder: 'b' });
    await store.nodes.bury('b', 'lease', 0);
    expect(await store.placement.homeless()).toBe(8);
    expect(await position(ran.id)).toBe(1);
    expect(await position(lone.id)).toBeLessThanOrEqual(3);
    // reds that came in the same millisecond may stand in any order
    const redPlaces = await Promise.all(reds.map(({ id }) => position(id)));
    expect(Math.max(...redPlaces.map((place) => place ?? 0))).toBe(8);
    const first = await claim('a', 3);
    expect(first.map(({ id }) => id)[0]).toBe(ran.id);
    expect(first.map(({ id }) => id)).toContain(lone.id);
    expect(first.every(({ holder, epoch }) => holder === 'a' && epoch > 1)).toBe(true);
    const another = await insert({ projectId: blue, queuedAt: 1 });
    const later = await insert({ projectId: (await store.projects.ensure('green')).id, queuedAt: 1 });
    const next = await claim('a', 3);
    expect(next[0]?.id).toBe(later.id);
    expect(next.map(({ id }) => id)).toContain(another.id);
    expect(await position(later.id)).toBeUndefined();
    expect((await claim('a', 100)).map(({ projectId }) => projectId)).toEqual(Array(4).fill(red));
    expect(await store.placement.homeless()).toBe(0);
  });

  test('with a profile of a newer Chromium are left to nodes that can use it, for half a minute', async () => {
    const { store, insert } = await fresh();
    const hour = 3_600_000;
    const long = (await store.nodes.clock()) - 30_001;
    /** Not long ago, however long the test takes. */
    const now = long + hour;
    const claim = async (major: number) => {
      const by = { bootId: 'a', nodeId: 'node of a', limit: 9, headStartMs: -2 * hour };
      const claimed = await store.placement.claim({ ...by, majors: { shell: major, full: 999 } });
      return claimed.map(({ id }) => id);
    };
    const waiting = async (status: string, queuedAt: number, fields: Partial<BrowserRecord> = {}) => {
      const { id } = await insert({ status, vaultEngine: 'shell', vaultMajor: 150, ...fields });
      return (await store.browsers.change(id, {}, { queuedAt })) as BrowserRecord;
    };
    const newer = await waiting('recovering', now);
    const left = await waiting('recovering', long);
    const closing = await waiting('closing', now);
    const other = await waiting('recovering', now, { vaultEngine: 'full' });
    const unknown = await waiting('recovering', now, { vaultEngine: null, vaultMajor: null });
    const home = await waiting('recovering', now, { nodeId: 'node of a' });
    expect((await claim(149)).sort()).toEqual(
      [left, closing, other, unknown, home].map(({ id }) => id).sort(),
    );
    expect(await claim(149)).toEqual([]);
    expect(await claim(150)).toEqual([newer.id]);
  });

  test('for longer than they would are named, as long as no node has claimed them', async () => {
    const { store, insert, claim } = await fresh();
    const [late, later] = [
      await insert({ queuedAt: 1, queuedUntil: 50 }),
      await insert({ queuedAt: 1, queuedUntil: 20 }),
    ];
    await insert({ queuedAt: 1, queuedUntil: 200 });
    await insert({ queuedAt: 1 });
    expect(await store.placement.lapsed(100, 10)).toEqual([later.id, late.id]);
    expect(await store.placement.lapsed(100, 1)).toEqual([later.id]);
    await claim('a', 10);
    expect(await store.placement.lapsed(100, 10)).toEqual([]);
  });

  test('are each claimed once, however many claim at the same time', async () => {
    const { insert, claim, store } = await fresh();
    const all = [];
    for (let n = 0; n < 24; n++) all.push(await insert({ queuedAt: 1 }));
    const taken: BrowserRecord[] = [];
    const claimer = async (bootId: string) => {
      for (;;) {
        const records = await claim(bootId, 2);
        taken.push(...records);
        if (records.length === 0 && (await store.placement.homeless()) === 0) return;
      }
    };
    await Promise.all(['a', 'b', 'a', 'b'].map(claimer));
    expect(taken.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    expect(new Set(taken.map(({ epoch }) => epoch))).toEqual(new Set([2]));
    const held = [...(await store.placement.ofHolder('a')), ...(await store.placement.ofHolder('b'))];
    expect(held).toHaveLength(24);
  });

  test('are found where they are', async () => {
    const { store, insert } = await fresh();
    const held = await insert({ status: 'ready', holder: 'a', nodeId: 'node of b', epoch: 4 });
    const stopped = await insert({ status: 'stopped' });
    expect(await store.placement.locate(held.id)).toEqual({
      ...{ status: 'ready', epoch: 4, holder: 'a', nodeId: 'node of b', address: 'a:1', state: 'up' },
    });
    expect(await store.placement.locate(stopped.id)).toEqual({
      ...{ status: 'stopped', epoch: 1, holder: null, nodeId: null, address: null, state: null },
    });
    expect(await store.placement.locate('browser_unknown')).toBeUndefined();
    expect(await store.placement.locate(held.id, held.projectId)).toMatchObject({ holder: 'a' });
    expect(await store.placement.locate(held.id, 'project_other')).toBeUndefined();
    expect(await store.placement.ofHolder('a')).toEqual([{ id: held.id, epoch: 4, status: 'ready' }]);
  });

  test('of many, those are named that are still being made', async () => {
    const { store, insert } = await fresh();
    const waits = await insert({ queuedAt: 1 });
    const begun = await insert({ holder: 'a' });
    const ready = await insert({ status: 'ready', holder: 'a' });
    const ids = [waits.id, begun.id, ready.id, 'browser_unknown'];
    expect(await store.placement.creating(ids)).toEqual(new Set([waits.id, begun.id]));
    expect(await store.placement.creating([])).toEqual(new Set());
  });

  test('are seen by a node that is leaving as room that others have, without what they hold already', async () => {
    const { store, insert } = await fresh();
    await store.nodes.renew({ bootId: 'a', capacity: 3, used: 0 });
    await store.nodes.renew({ bootId: 'b', capacity: 5, used: 4 });
    expect(await store.placement.roomBeside('c', 60_000)).toBe(4);
    for (let n = 0; n < 2; n++) await insert({ status: 'ready', holder: 'a' });
    expect(await store.placement.roomBeside('c', 60_000)).toBe(2);
    expect(await store.placement.roomBeside('a', 60_000)).toBe(1);
    await store.nodes.drain('b');
    expect(await store.placement.roomBeside('a', 60_000)).toBe(0);
  });

  test('of two nodes that resume one, one does', async () => {
    const { store, insert } = await fresh();
    const { id } = await insert({ status: 'stopped' });
    const resume = (holder: string) =>
      store.browsers.change(
        id,
        { status: 'stopped', epoch: 1, holder: null },
        { status: 'resuming', holder, epoch: 2 },
      );
    const outcomes = await Promise.all([resume('a'), resume('b')]);
    expect(outcomes.filter(Boolean)).toHaveLength(1);
    const winner = outcomes.find(Boolean)?.holder;
    expect(await store.browsers.get(id)).toMatchObject({ holder: winner, epoch: 2 });
    const mine = { status: 'ready' };
    expect(await store.browsers.change(id, { holder: winner === 'a' ? 'b' : 'a' }, mine)).toBeUndefined();
    expect(await store.browsers.change(id, { holder: winner }, mine)).toMatchObject(mine);
  });

  test('past their time are named while no node holds them', async () => {
    const { store, insert } = await fresh();
    const late = await insert({ status: 'stopped', expiresAt: 100 });
    const later = await insert({ status: 'failed', expiresAt: 200 });
    await insert({ status: 'stopped', expiresAt: 900 });
    await insert({ status: 'ready', holder: 'a', expiresAt: 100 });
    const ids = async (now: number, limit: number) =>
      (await store.placement.overdue(now, limit)).map(({ id }) => id);
    expect(await ids(500, 10)).toEqual([late.id, later.id]);
    expect(await ids(500, 1)).toEqual([late.id]);
    expect(await ids(50, 10)).toEqual([]);
  });
});

test('another process hears of a browser that has begun to wait', async () => {
  const database = await freshDatabase('postgres');
  const [one, two] = [await database.open(), await database.open()];
  const { id: projectId } = await one.projects.ensure('default');
  let heard = 0;
  const off = two.placement.watch(() => heard++);
  await expect.poll(() => heard).toBe(1);
  await one.browsers.insert(aBrowser({ projectId, queuedAt: 1 }), []);
  await expect.poll(() => heard).toBe(2);
  off();
});
