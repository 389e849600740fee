import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anArtifact, anEvent } from '../../tests/support/samples.ts';

const mostBytes = 1_000_000;

describe.each(databases)('browsers in the store on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const claim = (key: string) =>
      store.idempotency.claim(
        { projectId, key, fingerprint: 'print', bootId: 'boot', createdAt: 100 },
        mostBytes,
      );
    return { database, store, projectId, claim };
  };

  test('come back with every field as it was', async () => {
    const { store, projectId } = await fresh();
    const full = aBrowser({
      projectId,
      name: 'Ünïcode 🦊',
      statusReason: 'because',
      metadata: { team: 'red', '': 'empty key', quote: `'";--` },
      settings: { nested: [{ a: null }, 'text', 1.5], nul: '\u0000' },
      readyAt: 1,
      stoppedAt: 2,
      closedAt: 3,
      receipt: { processesEnded: 4 },
      idleTimeout: 31_536_000_000,
      maxDuration: 31_536_000_000,
      epoch: 7,
      recoveries: 2,
      serviceDeaths: 1,
      startPage: { state: 'pending' },
      tabs: 3,
      nodeId: 'node_1',
    });
    await store.browsers.insert(full, []);
    expect(await store.browsers.get(full.id)).toEqual(full);
    expect((await store.browsers.list({ projectId, limit: 5 })).records).toEqual([full]);
  });

  test('are invisible to another project', async () => {
    const { store, projectId } = await fresh();
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    expect(await store.browsers.get(browser.id, projectId)).toEqual(browser);
    expect(await store.browsers.get(browser.id, 'project_other')).toBeUndefined();
    expect((await store.browsers.list({ projectId: 'project_other', limit: 5 })).records).toEqual([]);
  });

  test('are inserted together with their events and what their idempotency key made', async () => {
    const { store, projectId, claim } = await fresh();
    const browser = aBrowser({ projectId });
    await claim('key');
    await store.browsers.insert(browser, [anEvent(browser)], { key: 'key', bootId: 'boot' });
    expect(await store.idempotency.get(projectId, 'key')).toMatchObject({ resourceId: browser.id });
    expect(await store.events.list({ projectId, limit: 5 })).toMatchObject([{ type: 'browser.created' }]);
  });

  test('are not made when another boot has taken the idempotency key over', async () => {
    const { store, projectId, claim } = await fresh();
    const browser = aBrowser({ projectId, metadata: { a: 'b' } });
    await claim('key');
    await store.idempotency.takeOver(projectId, 'key', 'boot', 'later boot');
    const insert = store.browsers.insert(browser, [anEvent(browser)], { key: 'key', bootId: 'boot' });
    await expect(insert).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.browsers.get(browser.id)).toBeUndefined();
    expect(await store.events.list({ projectId, limit: 5 })).toEqual([]);
    expect((await store.browsers.list({ projectId, metadata: { a: 'b' }, limit: 5 })).records).toEqual([]);
  });

  test('change only from the expected status and epoch, with their events or not at all', async () => {
    const { store, projectId } = await fresh();
    const browser = aBrowser({ projectId, epoch: 3 });
    await store.browsers.insert(browser, []);
    const events = [anEvent(browser, { type: 'browser.ready' })];
    const { change } = store.browsers;
    expect(await change(browser.id, { status: 'ready' }, { status: 'stopping' }, events)).toBeUndefined();
    expect(await change(browser.id, { status: [] }, { tabs: 5 })).toBeUndefined();
    expect(await change(browser.id, { epoch: 2 }, { tabs: 5 }, events)).toBeUndefined();
    expect(await change('browser_unknown', {}, { tabs: 5 }, events)).toBeUndefined();
    expect(await store.browsers.get(browser.id)).toEqual(browser);
    expect(await store.events.list({ projectId, limit: 5 })).toEqual([]);
    const expected = { status: ['creating', 'resuming'], epoch: 3 };
    const patch = { status: 'ready', readyAt: 9, receipt: { a: 1 }, epoch: 4 };
    const changed = await change(browser.id, expected, patch, events);
    expect(changed).toEqual({ ...browser, ...patch });
    expect(await store.browsers.get(browser.id)).toEqual(changed);
    expect(await store.events.list({ projectId, limit: 5 })).toMatchObject(events);
  });

  test('take an event alone, and leave out what a patch leaves undefined', async () => {
    const { store, projectId } = await fresh();
    const browser = aBrowser({ projectId, name: 'kept' });
    await store.browsers.insert(browser, []);
    const patch = { name: undefined };
    expect(await store.browsers.change(browser.id, {}, patch, [anEvent(browser)])).toEqual(browser);
    expect(await store.browsers.change(browser.id, { epoch: 9 }, {}, [anEvent(browser)])).toBeUndefined();
    expect(await store.events.list({ projectId, limit: 5 })).toHaveLength(1);
  });

  test('are found by their metadata as it is now', async () => {
    const { store, projectId } = await fresh();
    const browser = aBrowser({ projectId, metadata: { team: 'red', job: '1' } });
    await store.browsers.insert(browser, []);
    const found = async (metadata: Record<string, string>, status?: string[]) =>
      (await store.browsers.list({ projectId, metadata, status, limit: 5 })).records.length;
    expect(await found({ team: 'red', job: '1' })).toBe(1);
    expect(await found({ team: 'red', job: '2' })).toBe(0);
    expect(await found({ team: 'red' }, ['creating'])).toBe(1);
    await store.browsers.change(browser.id, {}, { status: 'ready' });
    expect(await found({ team: 'red' }, ['creating'])).toBe(0);
    expect(await found({ team: 'red' }, ['creating', 'ready'])).toBe(1);
    await store.browsers.change(browser.id, {}, { metadata: { team: 'blue' } });
    expect(await found({ team: 'red' })).toBe(0);
    expect(await found({ job: '1' })).toBe(0);
    expect(await found({ team: 'blue' }, ['ready'])).toBe(1);
  });

  test('are listed by node and status, oldest first', async () => {
    const { store, projectId } = await fresh();
    const make = (createdAt: number, status: string, nodeId: string) =>
      store.browsers.insert(aBrowser({ projectId, createdAt, status, nodeId }), []);
    await make(3, 'ready', 'node_1');
    await make(1, 'ready', 'node_1');
    await make(2, 'stopping', 'node_1');
    await make(1, 'closed', 'node_1');
    await make(1, 'ready', 'node_2');
    const here = await store.browsers.ofNode('node_1', ['ready', 'stopping']);
    expect(here.map(({ createdAt }) => createdAt)).toEqual([1, 2, 3]);
    expect(await store.browsers.ofNode('node_1', [])).toEqual([]);
  });

  test('are swept with all that belongs to them once they are past their time', async () => {
    const { store, projectId, claim } = await fresh();
    const make = async (fields: Partial<ReturnType<typeof aBrowser>>) => {
      const browser = aBrowser({ projectId, metadata: { a: 'b' }, expiresAt: 1000, ...fields });
      await store.browsers.insert(browser, [anEvent(browser)]);
      await store.checkpoints.put({ browserId: browser.id, epoch: 1, at: 1, data: {} });
      return browser.id;
    };
    const gone = [
      ...(await Promise.all(Array.from({ length: 250 }, () => make({ status: 'closed', closedAt: 10 })))),
      await make({ status: 'failed', closedAt: 10 }),
      await make({ status: 'failed', expiresAt: 10 }),
    ];
    const kept = [
      await make({ status: 'closed', closedAt: 90 }),
      await make({ status: 'failed' }),
      await make({ status: 'ready', expiresAt: 10 }),
    ];
    await claim('new');
    const before = { closedBefore: 50, idempotencyBefore: 100 };
    expect((await store.sweep(before)).browsers.toSorted()).toEqual(gone.toSorted());
    expect(await store.sweep(before)).toEqual({ browsers: [] });
    const { records: left } = await store.browsers.list({ projectId, limit: 500, metadata: { a: 'b' } });
    expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
    expect(await store.events.list({ projectId, limit: 500 })).toHaveLength(kept.length);
    expect(await store.checkpoints.get(gone[0]!)).toBeUndefined();
    expect(await store.checkpoints.get(kept[0]!)).toBeDefined();
    expect(await store.idempotency.get(projectId, 'new')).toBeDefined();
    await store.sweep({ ...before, idempotencyBefore: 101 });
    expect(await store.idempotency.get(projectId, 'new')).toBeUndefined();
  });

  test('are swept with thousands of events and artifacts, batch by batch, and a stop is heeded in between', async () => {
    const { store, projectId } = await fresh();
    const browser = aBrowser({ projectId, status: 'closed', closedAt: 1 });
    await store.browsers.insert(browser, []);
    await store.events.append(Array.from({ length: 3500 }, () => anEvent(browser)));
    for (let n = 0; n < 5; n++) await store.artifacts.insert(anArtifact(browser), null);
    const past = { closedBefore: 2, idempotencyBefore: 0 };
    const stopped = new AbortController();
    setImmediate(() => stopped.abort());
    expect(await store.sweep(past, stopped.signal)).toEqual({ browsers: [] });
    expect(await store.browsers.get(browser.id)).toBeDefined();
    expect(await store.events.list({ projectId, limit: 1 })).toHaveLength(1);

    expect(await store.sweep(past)).toEqual({ browsers: [browser.id] });
    expect(await store.events.list({ projectId, limit: 5 })).toEqual([]);
    expect(await store.artifacts.totalUsage()).toBe(0);
  });

  test('a sweep takes events of browsers that never had a record by their age, and no others', async () => {
    const { store, projectId } = await fresh();
    const event = (type: string, at: number) => ({
      type,
      at,
      projectId,
      browserId: 'browser_guest',
      data: {},
    });
    const noted = [event('quick.completed', 1), event('quick.failed', 99), event('tab.opened', 1)];
    await store.events.append(noted);
    const loneEvents = { types: ['quick.completed', 'quick.failed'], before: 50 };
    await store.sweep({ closedBefore: 0, idempotencyBefore: 0, loneEvents });
    const left = await store.events.list({ projectId, limit: 5 });
    expect(left.map(({ type }) => type)).toEqual(['quick.failed', 'tab.opened']);
  });

  test('are counted by status, those of one node', async () => {
    const { store, projectId } = await fresh();
    for (const [status, nodeId] of [
      ['ready', 'node_a'],
      ['ready', 'node_a'],
      ['stopped', 'node_a'],
      ['closed', 'node_a'],
      ['ready', 'node_b'],
    ] as const)
      await store.browsers.insert(aBrowser({ projectId, status, nodeId }), []);
    const counts = await store.browsers.countOfNode('node_a', ['ready', 'stopped', 'failed']);
    expect(counts.toSorted((a, b) => b.count - a.count)).toEqual([
      { status: 'ready', count: 2 },
      { status: 'stopped', count: 1 },
    ]);
  });

  test('are still there after the store was closed and opened again', async () => {
    const { database, store, projectId, claim } = await fresh();
    const browser = aBrowser({ projectId, metadata: { a: 'b' } });
    await claim('key');
    await store.browsers.insert(browser, [anEvent(browser)], { key: 'key', bootId: 'boot' });
    const [event] = await store.events.list({ projectId, limit: 1 });
    await store.close();
    const again = await database.open();
    expect((await again.browsers.list({ projectId, metadata: { a: 'b' }, limit: 5 })).records).toEqual([
      browser,
    ]);
    expect(await claimed(again)).toMatchObject({ resourceId: browser.id });
    await again.events.append([anEvent(browser)]);
    const events = await again.events.list({ projectId, afterSeq: event!.seq, limit: 5 });
    expect(events).toHaveLength(1);

    function claimed({ idempotency }: typeof again) {
      const row = { projectId, key: 'key', fingerprint: 'print', bootId: 'later', createdAt: 1 };
      return idempotency.claim(row, mostBytes);
    }
  });

  describe('an idempotency key', () => {
    test('belongs to its first claim, and keeps its first answer', async () => {
      const { store, projectId, claim } = await fresh();
      const row = { projectId, key: 'k', fingerprint: 'print', bootId: 'boot', createdAt: 100 };
      const unanswered = { ...row, resourceId: null, statusCode: null, body: null };
      expect(await claim('k')).toBeUndefined();
      expect(await claim('k')).toEqual(unanswered);
      await store.idempotency.complete(projectId, 'k', 'boot', { statusCode: 201, body: '{"id":1}' });
      await store.idempotency.complete(projectId, 'k', 'boot', { statusCode: 500, body: 'late' });
      await store.idempotency.release(projectId, 'k', 'boot');
      expect(await claim('k')).toEqual({ ...unanswered, statusCode: 201, body: '{"id":1}' });
    });

    test('is free again when released, and belongs to one project', async () => {
      const { store, projectId, claim } = await fresh();
      await claim('k');
      expect(await store.idempotency.get('project_other', 'k')).toBeUndefined();
      await store.idempotency.release(projectId, 'k', 'boot');
      expect(await claim('k')).toBeUndefined();
    });

    test('is taken over from a boot that is gone, once, and only while unanswered', async () => {
      const { store, projectId, claim } = await fresh();
      await claim('k');
      const { takeOver } = store.idempotency;
      expect(await takeOver(projectId, 'k', 'other', 'new')).toBe(false);
      expect(await takeOver(projectId, 'k', 'boot', 'new')).toBe(true);
      expect(await takeOver(projectId, 'k', 'boot', 'newer')).toBe(false);
      await store.idempotency.complete(projectId, 'k', 'new', { statusCode: 200, body: '{}' });
      expect(await takeOver(projectId, 'k', 'new', 'newer')).toBe(false);
    });

    test('is not answered or released by the boot that it was taken over from', async () => {
      const { store, projectId, claim } = await fresh();
      await claim('k');
      await store.idempotency.takeOver(projectId, 'k', 'boot', 'new');
      await store.idempotency.complete(projectId, 'k', 'boot', { statusCode: 201, body: '"late"' });
      await store.idempotency.release(projectId, 'k', 'boot');
      expect(await store.idempotency.get(projectId, 'k')).toMatchObject({ bootId: 'new', statusCode: null });
      await store.idempotency.complete(projectId, 'k', 'new', { statusCode: 200, body: '{}' });
      expect(await store.idempotency.get(projectId, 'k')).toMatchObject({ statusCode: 200, body: '{}' });
    });
  });
});
