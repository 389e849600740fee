import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent } from '../../tests/support/samples.ts';
import type { BrowserRecord, Store } from './records.ts';

const now = 1_700_000_000_000;

describe.each(databases)('the line for a holder on %s', (kind) => {
  /** Two nodes, each with a connection of its own, and two projects. */
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const [one, two] = [await database.open(), await database.open()];
    for (const name of ['1', '2'])
      await one.nodes.boot({ id: `node_${name}`, bootId: `boot_${name}`, startedAt: now, heartbeatAt: now });
    const { id: big } = await one.projects.ensure('big');
    const { id: small } = await one.projects.ensure('small');
    return { one, two, big, small };
  };

  // Ids of one millisecond have no order.
  let arrivals = 0;
  const queued = async (store: Store, projectId: string, line?: { most: number; mostOfProject: number }) => {
    const browser = aBrowser({ projectId, queuedAt: ++arrivals });
    return {
      browser,
      outcome: await store.browsers.insert(browser, [anEvent(browser)], undefined, { line }),
    };
  };

  const held = async (store: Store, projectId: string, bootId: string, mostOfProject?: number) => {
    const browser = aBrowser({ projectId, holder: bootId });
    const outcome = await store.browsers.insert(browser, [anEvent(browser)], undefined, { mostOfProject });
    return { browser, outcome };
  };

  const claim = (
    store: Store,
    name: string,
    fields: Partial<Parameters<Store['placement']['claim']>[0]> = {},
  ) =>
    store.placement.claim({
      bootId: `boot_${name}`,
      nodeId: `node_${name}`,
      limit: 1,
      headStartMs: 0,
      ...fields,
    });

  const idsOf = (records: BrowserRecord[]) => records.map(({ id }) => id);

  test('gives projects their turns, and shows the same positions on every node', async () => {
    const { one, two, big, small } = await fresh();
    const many: string[] = [];
    for (let i = 0; i < 5; i++) many.push((await queued(one, big)).browser.id);
    const { browser: single } = await queued(two, small);
    const places = await one.placement.positions([...many, single.id]);
    expect(await two.placement.positions([...many, single.id])).toEqual(places);
    expect([...places.values()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(places.get(single.id)).toBe(2);
    expect(idsOf(await claim(one, '1'))).toEqual([many[0]]);
    // The other project was not served yet, so it is its turn, on whichever node.
    expect((await one.placement.positions([single.id])).get(single.id)).toBe(1);
    expect(idsOf(await claim(two, '2'))).toEqual([single.id]);
    expect(idsOf(await claim(two, '2', { limit: 9 }))).toEqual(many.slice(1));
    expect(await one.placement.positions(many)).toEqual(new Map());
  });

  test('serves browsers that were running before those that never were', async () => {
    const { one, big } = await fresh();
    const { browser: waiting } = await queued(one, big);
    const { browser: running } = await held(one, big, 'boot_2');
    await one.browsers.change(running.id, {}, { status: 'ready' });
    await one.nodes.bury('boot_2', 'lease', 0);
    expect((await one.placement.positions([waiting.id])).get(waiting.id)).toBe(2);
    expect(await claim(one, '1', { limit: 2 })).toMatchObject([
      { id: running.id, status: 'recovering' },
      { id: waiting.id, status: 'creating' },
    ]);
  });

  test('leaves creates of some projects to other nodes', async () => {
    const { one, two, big, small } = await fresh();
    const { browser: first } = await queued(one, big);
    const { browser: second } = await queued(one, small);
    expect(idsOf(await claim(one, '1', { limit: 2, except: [big] }))).toEqual([second.id]);
    expect(idsOf(await claim(two, '2', { limit: 2 }))).toEqual([first.id]);
  });

  test('has an end, for a project and for all', async () => {
    const { one, two, big, small } = await fresh();
    const line = { most: 3, mostOfProject: 2 };
    expect((await queued(one, big, line)).outcome).toBe('inserted');
    expect((await queued(two, big, line)).outcome).toBe('inserted');
    const { browser, outcome } = await queued(one, big, line);
    expect(outcome).toBe('noRoom');
    expect(await one.browsers.get(browser.id)).toBeUndefined();
    expect((await queued(one, small, line)).outcome).toBe('inserted');
    expect((await queued(two, small, line)).outcome).toBe('noRoom');
  });

  test('of many creates at once on two nodes, a project gets as many browsers as it may have', async () => {
    const { one, two, big, small } = await fresh();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 2 ? held(one, big, 'boot_1', 5) : held(two, big, 'boot_2', 5),
      ),
    );
    expect(made.filter(({ outcome }) => outcome === 'inserted')).toHaveLength(5);
    expect(made.filter(({ outcome }) => outcome === 'noRoom')).toHaveLength(7);
    expect((await held(one, small, 'boot_1', 5)).outcome).toBe('inserted');
    const events = await one.events.list({ projectId: big, limit: 50 });
    expect(events).toHaveLength(5);
  });

  test('of many claims at once on two nodes, a project gets as many browsers as it may have', async () => {
    const { one, two, big, small } = await fresh();
    await held(one, big, 'boot_1', 4);
    for (let i = 0; i < 8; i++) await queued(one, big);
    const { browser: single } = await queued(one, small);
    const most = { limit: 4, mostOfProject: 4 };
    const claimed = (await Promise.all([claim(one, '1', most), claim(two, '2', most)])).flat();
    expect(claimed.filter(({ projectId }) => projectId === big)).toHaveLength(3);
    expect(idsOf(claimed)).toContain(single.id);
    expect(await claim(one, '1', most)).toEqual([]);
    const [ended] = claimed.filter(({ projectId }) => projectId === big);
    await one.browsers.change(ended?.id ?? '', {}, { status: 'closed', holder: null });
    expect(await claim(two, '2', most)).toHaveLength(1);
  });

  test('a stopped browser is resumed only while its project has room', async () => {
    const { one, big } = await fresh();
    const stopped = aBrowser({ projectId: big, status: 'stopped' });
    await one.browsers.insert(stopped, []);
    const { browser: other } = await held(one, big, 'boot_1', 1);
    const resume = () =>
      one.browsers.change(
        stopped.id,
        { status: 'stopped', mostOfProject: 1 },
        { status: 'resuming', holder: 'boot_1' },
        [anEvent(stopped)],
      );
    expect(await resume()).toBeUndefined();
    expect(await one.browsers.get(stopped.id)).toMatchObject({ status: 'stopped', holder: null });
    await one.browsers.change(other.id, {}, { status: 'closed', holder: null });
    expect(await resume()).toMatchObject({ status: 'resuming' });
  });
});
