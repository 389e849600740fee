import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import type { BrowserRecord } from './records.ts';

const place = 'shared';
const writtenBy = { engine: 'shell', major: 150 };
const writer = { nodeId: place, bootId: 'boot 1' };

describe.each(databases)('packed profiles in the store on %s', (kind) => {
  const fresh = async (fields: Partial<BrowserRecord> = {}) => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    await store.nodes.join(
      { id: 'node_1', bootId: writer.bootId, startedAt: 1, heartbeatAt: 1, address: 'here:1' },
      { ttlMs: 60_000, ownBefore: undefined },
    );
    const browser = aBrowser({ projectId, status: 'ready', epoch: 3, ...fields });
    await store.browsers.insert(browser, []);
    const of = { browserId: browser.id, epoch: 3 };
    const announce = async () => {
      const id = newId('vault');
      await store.artifacts.announce(id, writer);
      return id;
    };
    /** What the sweep of the next boot would remove. */
    const loose = () => looseIds(store, { ...writer, bootId: 'boot 2' });
    const now = async () => {
      const { vault, vaultAt } = (await store.browsers.get(browser.id)) as BrowserRecord;
      return { vault, vaultAt };
    };
    return { store, browser, of, announce, loose, now };
  };

  test('are in force once the record points to them, and those before become loose', async () => {
    const { store, of, announce, loose, now } = await fresh();
    const [first, second] = [await announce(), await announce()];
    expect(await store.vaults.point(of, { id: first, at: 10, place, ...writtenBy })).toEqual({
      before: null,
    });
    expect(await loose()).toEqual([second]);
    expect(await store.vaults.point(of, { id: second, at: 20, place, ...writtenBy })).toEqual({
      before: first,
    });
    expect(await loose()).toEqual([first]);
    expect(await now()).toEqual({ vault: second, vaultAt: 20 });
  });

  test('of an epoch that is over come too late: nothing changes, and they stay loose', async () => {
    const { store, of, announce, loose, now } = await fresh({ holder: writer.bootId });
    const [kept, late] = [await announce(), await announce()];
    await store.vaults.point(of, { id: kept, at: 10, place, ...writtenBy });
    // Its machine was silent for too long.
    await store.nodes.bury(writer.bootId, 'lease', 0);
    expect(await store.vaults.point(of, { id: late, at: 99, place, ...writtenBy })).toBeUndefined();
    expect(await now()).toEqual({ vault: kept, vaultAt: 10 });
    expect(await loose()).toEqual([late]);
  });

  test.each(['closing', 'closed', 'failed'])('of a browser that is %s come too late', async (status) => {
    const { store, of, announce, loose, now } = await fresh({ status });
    const late = await announce();
    expect(await store.vaults.point(of, { id: late, at: 99, place, ...writtenBy })).toBeUndefined();
    expect(await now()).toEqual({ vault: null, vaultAt: null });
    expect(await loose()).toEqual([late]);
  });

  test('are loose once they are dropped, and can be dropped again', async () => {
    const { store, browser, of, announce, loose, now } = await fresh();
    const id = await announce();
    await store.vaults.point(of, { id, at: 10, place, ...writtenBy });
    expect(await store.vaults.drop(browser.id, place)).toBe(id);
    expect(await store.vaults.drop(browser.id, place)).toBeUndefined();
    expect(await loose()).toEqual([id]);
    expect(await now()).toEqual({ vault: null, vaultAt: null });
  });

  test('are not forgotten with the record of their browser', async () => {
    const { store, browser, of, announce, loose } = await fresh();
    const id = await announce();
    await store.vaults.point(of, { id, at: 10, place, ...writtenBy });
    await store.browsers.change(browser.id, {}, { status: 'failed', closedAt: 1000 });
    expect(await store.sweep({ closedBefore: 2000, idempotencyBefore: 0 })).toEqual({
      browsers: [browser.id],
    });
    expect(await loose()).toEqual([id]);
  });

  test('of two that are put at once one is in force, and the other is known as loose', async () => {
    const { store, of, announce, loose, now } = await fresh();
    const ids = [await announce(), await announce(), await announce()];
    await Promise.all(ids.map((id, at) => store.vaults.point(of, { id, at, place, ...writtenBy })));
    const { vault } = await now();
    expect(ids).toContain(vault);
    expect(await loose()).toEqual(ids.filter((id) => id !== vault).sort());
  });

  test('folders of browsers that are closed or went elsewhere are told apart from those at home', async () => {
    const { store, browser } = await fresh({ nodeId: 'node_1' });
    const { projectId } = browser;
    const others = {
      elsewhere: aBrowser({ projectId, nodeId: 'node_2' }),
      coming: aBrowser({ projectId, nodeId: 'node_2' }),
      closed: aBrowser({ projectId, nodeId: 'node_1', status: 'closed' }),
    };
    for (const other of Object.values(others)) await store.browsers.insert(other, []);
    await store.browsers.change(others.coming.id, {}, { holder: 'boot 1' });
    const unknown = newId('browser');
    const ids = [browser.id, ...Object.values(others).map(({ id }) => id), unknown];
    expect(await store.vaults.notAtHome(ids, { nodeId: 'node_1', bootId: 'boot 1' })).toEqual([
      others.elsewhere.id,
      others.closed.id,
      unknown,
    ]);
  });
});
