import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, aKey, anEvent } from '../../tests/support/samples.ts';

describe.each(databases)('the store on %s', (kind) => {
  const fresh = async () => {
    const store = await (await freshDatabase(kind)).open();
    const project = await store.projects.ensure('default');
    return { store, projectId: project.id };
  };

  test('answers a ping and says which database it is', async () => {
    const { store } = await fresh();
    await store.ping();
    expect(store.kind).toBe(kind);
  });

  describe('projects', () => {
    test('are made once for a name and found by id', async () => {
      const { store, projectId } = await fresh();
      expect(await store.projects.ensure('default')).toMatchObject({ id: projectId, name: 'default' });
      const other = await store.projects.ensure('other');
      expect(other.id).not.toBe(projectId);
      expect(await store.projects.get(other.id)).toEqual(other);
      expect(await store.projects.get('project_nobody')).toBeUndefined();
      expect(await store.projects.count()).toBe(2);
    });
  });

  describe('secrets', () => {
    test('are the same for all who ask, whoever was first', async () => {
      const { store } = await fresh();
      const [first, second] = await Promise.all([
        store.secrets.ensure('signing', 'a'),
        store.secrets.ensure('signing', 'b'),
      ]);
      expect(first).toBe(second);
      expect(await store.secrets.ensure('signing', 'c')).toBe(first);
      expect(await store.secrets.ensure('another', 'd')).toBe('d');
    });
  });

  describe('keys', () => {
    test('are found by the hash of their secret with every field', async () => {
      const { store, projectId } = await fresh();
      const key = aKey({ projectId, role: 'admin', expiresAt: 1_800_000_000_000 });
      await store.keys.insert(key);
      expect(await store.keys.findByHash(key.hash)).toEqual(key);
      expect(await store.keys.get(key.id)).toEqual(key);
      expect(await store.keys.get('key_nobody')).toBeUndefined();
      expect(await store.keys.findByHash('unknown')).toBeUndefined();
      expect(await store.keys.count()).toBe(1);
    });

    test('are listed newest first, page by page, by project or all of them, without the revoked', async () => {
      const { store, projectId } = await fresh();
      const elsewhere = await store.projects.ensure('elsewhere');
      const keys = [1, 2, 2, 3, 4].map((createdAt) => aKey({ projectId, createdAt }));
      for (const key of [...keys, aKey({ projectId: elsewhere.id, createdAt: 9 })])
        await store.keys.insert(key);
      await store.keys.revoke(keys[4]!.id, projectId, 10);
      const first = await store.keys.list({ projectId, limit: 2 });
      const second = await store.keys.list({ projectId, limit: 2, after: first.at(-1)! });
      const third = await store.keys.list({ projectId, limit: 2, after: second.at(-1)! });
      expect([...first, ...second].map(({ createdAt }) => createdAt)).toEqual([3, 2, 2, 1]);
      expect(third).toEqual([]);
      expect(await store.keys.list({ limit: 10 })).toHaveLength(5);
    });

    test('remember when they were last used, and never an earlier time', async () => {
      const { store, projectId } = await fresh();
      const key = aKey({ projectId });
      await store.keys.insert(key);
      await store.keys.touch(key.id, 20);
      await store.keys.touch(key.id, 10);
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ lastUsedAt: 20 });
    });

    test('are revoked once, and only within their project', async () => {
      const { store, projectId } = await fresh();
      const key = aKey({ projectId });
      await store.keys.insert(key);
      expect(await store.keys.revoke(key.id, 'project_other', 5)).toBe('unknown');
      expect(await store.keys.revoke(key.id, projectId, 5)).toBe('revoked');
      expect(await store.keys.revoke(key.id, undefined, 6)).toBe('unknown');
      expect(await store.keys.findByHash(key.hash)).toMatchObject({ revokedAt: 5 });
    });

    test('leave at least one usable admin to each project', async () => {
      const { store, projectId } = await fresh();
      const admin = aKey({ projectId, role: 'admin' });
      const expired = aKey({ projectId, role: 'admin', expiresAt: 50 });
      const elsewhere = aKey({ projectId: (await store.projects.ensure('elsewhere')).id, role: 'admin' });
      for (const key of [admin, expired, elsewhere]) await store.keys.insert(key);
      expect(await store.keys.revoke(admin.id, projectId, 100)).toBe('lastAdmin');
      expect(await store.keys.findByHash(admin.hash)).toMatchObject({ revokedAt: null });
      expect(await store.keys.revoke(expired.id, projectId, 100)).toBe('revoked');
      await store.keys.insert(aKey({ projectId, role: 'admin' }));
      expect(await store.keys.revoke(admin.id, projectId, 100)).toBe('revoked');
    });

    test('may come back with the same secret after they were revoked, but not twice at a time', async () => {
      const { store, projectId } = await fresh();
      const [first, second, third] = [1, 2, 3].map((n) => aKey({ projectId, hash: 'same', name: `${n}` }));
      await store.keys.insert(first!);
      await store.keys.insert(second!);
      expect(await store.keys.findByHash('same')).toMatchObject({ name: '1' });
      await store.keys.revoke(first!.id, projectId, 5);
      await store.keys.insert(third!);
      expect(await store.keys.findByHash('same')).toMatchObject({ name: '3', revokedAt: null });
    });
  });

  describe('nodes', () => {
    const first = { id: 'node_1', bootId: 'boot 1', startedAt: 1, heartbeatAt: 1 };
    const second = { id: 'node_1', bootId: 'boot 2', startedAt: 5, heartbeatAt: 5 };
    const other = { id: 'node_2', bootId: 'boot 3', startedAt: 6, heartbeatAt: 6 };
    const hearing = { since: 0, silent: [], ownBefore: undefined };

    test('take heartbeats of the current boot only', async () => {
      const { store } = await fresh();
      expect(await store.nodes.boot(first)).toEqual([]);
      expect(await store.nodes.renew({ bootId: 'boot 1' })).toEqual({ at: expect.any(Number) });
      expect(await store.nodes.boot(second)).toEqual([]);
      expect(await store.nodes.renew({ bootId: 'boot 1' })).toBeUndefined();
      expect(await store.nodes.list()).toMatchObject([second]);
    });

    test('are not registered beside one that may be alive', async () => {
      const { store } = await fresh();
      await store.nodes.boot(first);
      expect(await store.nodes.boot(other, hearing)).toMatchObject([first]);
      expect(await store.nodes.list()).toMatchObject([first]);
      expect(await store.nodes.boot(other, { ...hearing, since: 1 })).toEqual([]);
      expect(await store.nodes.list()).toMatchObject([{ id: 'node_1', state: 'gone' }, other]);
    });

    test('are registered beside one that was watched and stayed silent, which is gone from then on', async () => {
      const { store } = await fresh();
      await store.nodes.boot(first);
      expect(await store.nodes.boot(other, { ...hearing, silent: [first] })).toEqual([]);
      expect(await store.nodes.renew({ bootId: 'boot 1' })).toBeUndefined();
      expect(await store.nodes.list()).toMatchObject([{ id: 'node_1', state: 'gone' }, other]);
    });

    test('are registered beside one that has given another sign since it was watched only when it has left', async () => {
      const { store } = await fresh();
      await store.nodes.boot(first);
      await store.nodes.renew({ bootId: 'boot 1' });
      expect(await store.nodes.boot(other, { ...hearing, silent: [first] })).toMatchObject([
        { id: 'node_1' },
      ]);
      await store.nodes.leave('boot 2');
      expect(await store.nodes.boot(other, hearing)).toHaveLength(1);
      await store.nodes.leave('boot 1');
      expect(await store.nodes.boot(other, hearing)).toEqual([]);
    });

    test('follow their own boot before, and not that of a copy', async () => {
      const { store } = await fresh();
      await store.nodes.boot(first);
      expect(await store.nodes.boot(second, { ...hearing, ownBefore: 'boot 0' })).toMatchObject([first]);
      expect(await store.nodes.boot(second, { ...hearing, ownBefore: 'boot 1' })).toEqual([]);
      expect(await store.nodes.list()).toMatchObject([second]);
    });

    test('of two that start at the same moment, one is registered', async () => {
      const { store } = await fresh();
      const refused = await Promise.all([first, other].map((node) => store.nodes.boot(node, hearing)));
      expect(refused.map((others) => others.length).sort()).toEqual([0, 1]);
      expect(await store.nodes.list()).toHaveLength(1);
    });
  });

  describe('checkpoints', () => {
    test('are kept for the epoch of the browser and dropped for any other', async () => {
      const { store, projectId } = await fresh();
      const browser = aBrowser({ projectId });
      await store.browsers.insert(browser, []);
      const checkpoint = {
        browserId: browser.id,
        epoch: 1,
        at: 5,
        data: { tabs: [{ url: 'https://a.example' }] },
      };
      expect(await store.checkpoints.put(checkpoint)).toBe(true);
      expect(await store.checkpoints.put({ ...checkpoint, epoch: 2 })).toBe(false);
      await store.browsers.change(browser.id, {}, { epoch: 2 });
      expect(await store.checkpoints.put({ ...checkpoint, at: 6 })).toBe(false);
      expect(await store.checkpoints.get(browser.id)).toEqual(checkpoint);
      expect(await store.checkpoints.put({ ...checkpoint, epoch: 2, at: 7 })).toBe(true);
      expect(await store.checkpoints.get(browser.id)).toMatchObject({ epoch: 2, at: 7 });
      await store.checkpoints.remove(browser.id);
      expect(await store.checkpoints.get(browser.id)).toBeUndefined();
      expect(await store.checkpoints.put({ ...checkpoint, browserId: 'browser_unknown' })).toBe(false);
    });
  });

  describe('events', () => {
    test('are numbered as they come and listed by project or browser from any number on', async () => {
      const { store, projectId } = await fresh();
      const [one, two] = [aBrowser({ projectId }), aBrowser({ projectId })];
      await store.events.append([anEvent(one, { data: { text: 'a \u0000 b' } }), anEvent(two)]);
      await store.events.append([anEvent(one, { type: 'tab.opened' })]);
      await store.events.append([]);
      const all = await store.events.list({ projectId, limit: 10 });
      expect(all.map(({ browserId }) => browserId)).toEqual([one.id, two.id, one.id]);
      expect(all[0]).toMatchObject({ ...anEvent(one, { data: { text: 'a \u0000 b' } }) });
      expect(all[0]!.id).toMatch(/^event_/);
      expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
      const later = { projectId, afterSeq: all[0]!.seq, limit: 10 };
      expect(await store.events.list(later)).toEqual(all.slice(1));
      expect(await store.events.list({ ...later, browserId: one.id })).toEqual(all.slice(2));
      expect(await store.events.list({ ...later, limit: 1 })).toEqual(all.slice(1, 2));
      expect(await store.events.list({ projectId: 'project_other', limit: 10 })).toEqual([]);
    });

    test('come in batches larger than one statement can take', async () => {
      const { store, projectId } = await fresh();
      const browser = aBrowser({ projectId });
      await store.events.append(Array.from({ length: 12_000 }, (_, n) => anEvent(browser, { data: { n } })));
      const all = await store.events.list({ projectId, limit: 20_000 });
      expect(all.map(({ data }) => data.n)).toEqual(Array.from({ length: 12_000 }, (_, n) => n));
    });
  });
});
