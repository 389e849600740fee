import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { aBrowser } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';
import type { ExtensionRecord } from './records.ts';

const noLimit = { most: 100, quotaBytes: null };

describe.each(databases)('extensions on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const anExtension = (fields: Partial<ExtensionRecord> = {}): ExtensionRecord => ({
      id: newId('extension'),
      projectId,
      nodeId: 'node_1',
      createdAt: 1,
      name: 'Test',
      version: '1.0',
      chromiumId: 'a'.repeat(32),
      publicKey: 'a2V5',
      manifest: { permissions: ['storage'] },
      size: 10,
      sha256: '',
      ...fields,
    });
    const user = (extensions: string[]) => {
      const browser = aBrowser({ projectId });
      return { browser, made: store.browsers.insert(browser, [], undefined, { extensions }) };
    };
    return { store, extensions: store.extensions, projectId, anExtension, user };
  };

  test('are found with every field in their project alone, newest first', async () => {
    const { store, extensions, projectId, anExtension } = await fresh();
    const [older, newer] = [anExtension(), anExtension({ createdAt: 2 })];
    for (const each of [older, newer]) expect(await extensions.insert(each, noLimit)).toBe('inserted');
    expect(await extensions.get(older.id, projectId)).toEqual(older);
    expect((await extensions.list({ projectId, limit: 10 })).records).toEqual([newer, older]);
    expect((await extensions.list({ projectId, limit: 10, after: newer })).records).toEqual([older]);
    const { id: other } = await store.projects.ensure('other');
    expect(await extensions.get(older.id, other)).toBeUndefined();
    expect((await extensions.list({ projectId: other, limit: 10 })).records).toEqual([]);
    expect(await extensions.remove(older.id, other)).toBe('gone');
  });

  test('have a number and a quota, also of uploads at the same time', async () => {
    const { store, extensions, projectId, anExtension } = await fresh();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => extensions.insert(anExtension(), { most: 2, quotaBytes: null })),
    );
    expect(outcomes.toSorted()).toEqual(['inserted', 'inserted', ...Array(4).fill('tooMany')]);
    expect(await store.artifacts.usage(projectId)).toBe(20);
    expect(await extensions.insert(anExtension(), { most: 9, quotaBytes: 25 })).toBe('overQuota');
    expect(await store.artifacts.usage(projectId)).toBe(20);
  });

  test('stay while a browser that is not over uses them, and then leave loose bytes', async () => {
    const { store, extensions, projectId, anExtension, user } = await fresh();
    const extension = anExtension();
    await extensions.insert(extension, noLimit);
    const { browser, made } = user([extension.id]);
    expect(await made).toBe('inserted');
    expect(await extensions.remove(extension.id, projectId)).toEqual({ heldBy: browser.id });
    await store.browsers.change(browser.id, {}, { status: 'closed' });
    expect(await extensions.remove(extension.id, projectId)).toBe('removed');
    expect(await store.artifacts.usage(projectId)).toBe(0);
    expect(await looseIds(store, { nodeId: 'node_1', bootId: 'boot' }, '', 10)).toEqual([extension.id]);
    expect(await user([extension.id]).made).toEqual({ missing: extension.id });
  });

  test('are either deleted or used, whoever comes first', async () => {
    const { extensions, projectId, anExtension, user } = await fresh();
    for (let round = 0; round < 5; round++) {
      const extension = anExtension();
      await extensions.insert(extension, noLimit);
      const { browser, made } = user([extension.id]);
      const [used, removed] = await Promise.all([made, extensions.remove(extension.id, projectId)]);
      expect([
        ['inserted', { heldBy: browser.id }],
        [{ missing: extension.id }, 'removed'],
      ]).toContainEqual([used, removed]);
    }
  });
});
