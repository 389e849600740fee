import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { aBrowser, anArtifact, anEvent } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import type { ArtifactRecord } from './records.ts';

const here = { nodeId: 'node_1', bootId: 'boot 1' };

describe.each(databases)('artifacts in the store on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    const add = async (fields: Partial<ArtifactRecord> = {}) => {
      const artifact = anArtifact(browser, { nodeId: here.nodeId, ...fields });
      await store.artifacts.announce(artifact.id, here);
      expect(await store.artifacts.insert(artifact, null)).toBe('inserted');
      return artifact;
    };
    const of = { projectId, browserId: browser.id };
    const loose = (bootId = here.bootId) => looseIds(store, { ...here, bootId }, '', 1000);
    return { database, store, projectId, browser, of, add, loose };
  };

  test('come back with every field as it was', async () => {
    const { store, of, add } = await fresh();
    const artifact = await add({
      kind: 'download',
      source: 'page',
      name: 'Ünïcode 🦊\u202e.pdf',
      size: 5 * 1024 ** 4,
      details: { url: `https://example.com/?'";--` },
    });
    expect(await store.artifacts.get(artifact.id, of)).toEqual(artifact);
    expect(await store.artifacts.list({ ...of, kind: 'download', limit: 5 })).toEqual([artifact]);
  });

  test('belong to one browser, one project and one kind', async () => {
    const { store, of, add } = await fresh();
    const { id } = await add();
    for (const other of [
      { ...of, projectId: 'project_other' },
      { ...of, browserId: 'browser_other' },
    ]) {
      expect(await store.artifacts.get(id, other)).toBeUndefined();
      expect(await store.artifacts.list({ ...other, kind: 'file', limit: 5 })).toEqual([]);
      expect(await store.artifacts.remove(id, other)).toBe(false);
    }
    expect(await store.artifacts.list({ ...of, kind: 'recording', limit: 5 })).toEqual([]);
    expect(await store.artifacts.get(id, of)).toBeDefined();
  });

  test('are listed newest first, page by page, while others come and go', async () => {
    const { store, of, add } = await fresh();
    const all: ArtifactRecord[] = [];
    for (let n = 0; n < 25; n++) all.push(await add({ createdAt: 100 + Math.floor(n / 4) }));
    const expected = all
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id);
    const seen: string[] = [];
    let after: ArtifactRecord | undefined;
    do {
      const page = await store.artifacts.list({ ...of, kind: 'file', after, limit: 4 });
      seen.push(...page.map(({ id }) => id));
      after = page.at(-1);
      if (after) await store.artifacts.remove(after.id, of);
      await add({ createdAt: 500 });
    } while (after);
    expect(seen).toEqual(expected);
  });

  test('are not made for a browser that is gone, or another project’s', async () => {
    const { store, browser, projectId } = await fresh();
    const other = await store.projects.ensure('other');
    for (const stranger of [
      anArtifact({ ...browser, projectId: other.id }),
      anArtifact(aBrowser({ projectId })),
    ])
      expect(await store.artifacts.insert(stranger, null)).toBe('browserGone');
    expect(await store.artifacts.usage(projectId)).toBe(0);
    expect(await store.artifacts.usage(other.id)).toBe(0);
  });

  test('count towards the quota of their project until they are removed', async () => {
    const { store, browser, projectId, of, loose } = await fresh();
    const [a, b, c] = [60, 40, 1].map((size) => anArtifact(browser, { size })) as [
      ArtifactRecord,
      ArtifactRecord,
      ArtifactRecord,
    ];
    await store.artifacts.announce(c.id, here);
    expect(await store.artifacts.insert(a, 100)).toBe('inserted');
    expect(await store.artifacts.insert(b, 100)).toBe('inserted');
    expect(await store.artifacts.insert(c, 100)).toBe('overQuota');
    expect(await store.artifacts.get(c.id, of)).toBeUndefined();
    expect(await loose('a later boot')).toEqual([c.id]);
    expect(await store.artifacts.usage(projectId)).toBe(100);
    expect(await store.artifacts.remove(b.id, of)).toBe(true);
    expect(await store.artifacts.remove(b.id, of)).toBe(false);
    expect(await store.artifacts.usage(projectId)).toBe(60);
    expect(await store.artifacts.insert(c, 100)).toBe('inserted');
  });

  test('that come all at once never exceed the quota', async () => {
    const { database, store, browser, projectId } = await fresh();
    const stores = [store, await database.open()];
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        stores[n % 2]!.artifacts.insert(anArtifact(browser, { size: 10 }), 95),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(9);
    expect(await store.artifacts.usage(projectId)).toBe(90);
  });

  test('leave their bytes loose from the announcement to the record, and from the removal on', async () => {
    const { store, browser, of, loose } = await fresh();
    const artifact = anArtifact(browser, { nodeId: here.nodeId });
    await store.artifacts.announce(artifact.id, here);
    expect(await loose()).toEqual([]);
    expect(await loose('a later boot')).toEqual([artifact.id]);
    await store.artifacts.insert(artifact, null);
    expect(await loose('a later boot')).toEqual([]);
    await store.artifacts.remove(artifact.id, of);
    expect(await loose()).toEqual([artifact.id]);
    expect(await looseIds(store, { nodeId: 'node_2', bootId: 'boot 2' }, '', 10)).toEqual([]);
    await store.artifacts.forget([artifact.id], ['node_2']);
    expect(await loose()).toEqual([artifact.id]);
    await store.artifacts.forget([artifact.id], [here.nodeId]);
    expect(await loose()).toEqual([]);
  });

  test('that are loose are told in any number, a page at a time', async () => {
    const { store, loose } = await fresh();
    const ids = Array.from({ length: 1100 }, () => newId('file')).toSorted();
    await Promise.all(ids.map((id) => store.artifacts.announce(id, { ...here, bootId: 'gone' })));
    expect(await looseIds(store, here, '', 10)).toEqual(ids.slice(0, 10));
    expect(await looseIds(store, here, ids[9]!, 10)).toEqual(ids.slice(10, 20));
    await store.artifacts.forget(ids.slice(10), [here.nodeId]);
    expect(await loose()).toEqual(ids.slice(0, 10));
  });

  test('go with their browser when it is swept, and their bytes are not forgotten', async () => {
    const { store, projectId, browser, of, add, loose } = await fresh();
    const [one, two] = [await add({ size: 7 }), await add({ kind: 'recording', size: 8 })];
    const other = aBrowser({ projectId, status: 'closed', closedAt: 90 });
    await store.browsers.insert(other, []);
    const kept = await add({ browserId: other.id, size: 5 });
    await store.browsers.change(browser.id, {}, { status: 'closed', closedAt: 10 });
    expect(await store.sweep({ closedBefore: 50, idempotencyBefore: 0 })).toEqual({ browsers: [browser.id] });
    expect(await store.artifacts.get(one.id, of)).toBeUndefined();
    expect(await loose()).toEqual([one.id, two.id].toSorted());
    expect(await store.artifacts.usage(projectId)).toBe(5);
    expect(await store.artifacts.totalUsage()).toBe(5);
    expect(await store.artifacts.get(kept.id, { projectId, browserId: other.id })).toEqual(kept);
  });

  test('of a browser that is being swept are refused, or go with it', async () => {
    const { database, store, projectId } = await fresh();
    const second = await database.open();
    for (let n = 0; n < 10; n++) {
      const browser = aBrowser({ projectId, status: 'closed', closedAt: 1 });
      await store.browsers.insert(browser, []);
      const [outcome] = await Promise.all([
        second.artifacts.insert(anArtifact(browser), null),
        store.sweep({ closedBefore: 2, idempotencyBefore: 0 }),
      ]);
      await store.sweep({ closedBefore: 2, idempotencyBefore: 0 });
      expect(['inserted', 'browserGone']).toContain(outcome);
      expect(await store.browsers.get(browser.id)).toBeUndefined();
    }
    expect(await store.artifacts.usage(projectId)).toBe(0);
  });

  describe('that are still being made', () => {
    const begun = async () => {
      const all = await fresh();
      const artifact = await all.add({ kind: 'download', state: 'inProgress', bootId: here.bootId, size: 0 });
      return { ...all, artifact };
    };

    test('are changed by the boot that makes them, with their events, until they are finished', async () => {
      const { store, projectId, browser, of, artifact } = await begun();
      const events = [anEvent(browser, { type: 'download.failed', data: { reason: 'x' } })];
      const patch = { state: 'failed', details: { reason: 'x' }, bootId: null };
      expect(await store.artifacts.change(artifact.id, 'another boot', patch, null, events)).toBe('gone');
      expect(await store.events.list({ projectId, limit: 5 })).toEqual([]);
      const changed = { ...artifact, ...patch };
      expect(await store.artifacts.change(artifact.id, here.bootId, patch, null, events)).toEqual(changed);
      expect(await store.artifacts.get(artifact.id, of)).toEqual(changed);
      expect(await store.events.list({ projectId, limit: 5 })).toMatchObject([{ type: 'download.failed' }]);
      expect(await store.artifacts.change(artifact.id, here.bootId, patch, null, events)).toBe('gone');
    });

    test('count, and are no longer loose, once their bytes are there', async () => {
      const { store, projectId, of, artifact, loose } = await begun();
      await store.artifacts.announce(artifact.id, here);
      const patch = { state: 'completed', size: 60, bootId: null };
      expect(await store.artifacts.change(artifact.id, here.bootId, patch, 59)).toBe('overQuota');
      expect(await store.artifacts.get(artifact.id, of)).toEqual(artifact);
      // a boot that takes it over writes them anew
      expect(await loose('a later boot')).toEqual([]);
      expect(await store.artifacts.change(artifact.id, here.bootId, patch, 60)).toMatchObject({ size: 60 });
      expect(await loose('a later boot')).toEqual([]);
      expect(await store.artifacts.usage(projectId)).toBe(60);
    });

    test('are gone for whoever makes them once they are removed', async () => {
      const { store, of, artifact, loose } = await begun();
      await store.artifacts.announce(artifact.id, here);
      expect(await store.artifacts.remove(artifact.id, of)).toBe(true);
      expect(await loose()).toEqual([]);
      expect(await store.artifacts.change(artifact.id, here.bootId, { size: 5 }, null)).toBe('gone');
    });

    test('are handed on to the next boot of their node, once', async () => {
      const { store, add, artifact } = await begun();
      await add();
      await add({ nodeId: 'node_2', bootId: 'boot 7' });
      expect(await store.artifacts.inherit(here)).toEqual([]);
      const next = { ...here, bootId: 'boot 2' };
      expect(await store.artifacts.inherit(next)).toEqual([{ ...artifact, bootId: 'boot 2' }]);
      expect(await store.artifacts.inherit(next)).toEqual([]);
      expect(await store.artifacts.change(artifact.id, here.bootId, { state: 'x' }, null)).toBe('gone');
    });

    test('is handed to another node when its own has been gone for long enough', async () => {
      const { store, add, artifact } = await begun();
      await add();
      await store.nodes.boot({ id: here.nodeId, bootId: here.bootId, startedAt: 1, heartbeatAt: 1 });
      const take = (goneForMs: number) => store.artifacts.inheritLost('boot 7', artifact.kind, goneForMs);
      expect(await take(0)).toEqual([]);
      await store.nodes.bury(here.bootId, 'lease', 0);
      expect(await take(3_600_000)).toEqual([]);
      expect(await store.artifacts.inheritLost('boot 7', 'recording', 0)).toEqual([]);
      expect(await take(0)).toEqual([{ ...artifact, bootId: 'boot 7' }]);
      expect(await take(0)).toEqual([]);
    });
  });
});
