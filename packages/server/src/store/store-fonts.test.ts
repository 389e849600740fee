import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { newId } from '../kit/id.ts';
import type { FontRecord } from './records.ts';

const noLimit = { most: 100, quotaBytes: null };

describe.each(databases)('fonts on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const aFont = (fields: Partial<FontRecord> = {}): FontRecord => {
      const id = newId('font');
      return {
        id,
        projectId,
        nodeId: 'node_1',
        createdAt: 1,
        format: 'ttf',
        faces: [{ family: 'Test', style: 'Regular' }],
        size: 10,
        sha256: id,
        ...fields,
      };
    };
    return { store, fonts: store.fonts, projectId, aFont };
  };

  test('are found with every field in their project alone, newest first', async () => {
    const { store, fonts, projectId, aFont } = await fresh();
    const [older, newer] = [aFont(), aFont({ createdAt: 2, format: 'otf' })];
    for (const each of [older, newer]) expect(await fonts.insert(each, noLimit)).toBe('inserted');
    expect(await fonts.get(older.id, projectId)).toEqual(older);
    expect((await fonts.list({ projectId, limit: 10 })).records).toEqual([newer, older]);
    expect((await fonts.list({ projectId, limit: 10, after: newer })).records).toEqual([older]);
    expect(await fonts.ofProject(projectId)).toEqual(
      [older, newer].map(({ id, format }) => ({ id, format })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    const { id: other } = await store.projects.ensure('other');
    expect(await fonts.get(older.id, other)).toBeUndefined();
    expect(await fonts.ofProject(other)).toEqual([]);
    expect(await fonts.remove(older.id, other)).toBe(false);
  });

  test('are one for the same bytes in a project, also when they come at the same time', async () => {
    const { store, fonts, projectId, aFont } = await fresh();
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, () => fonts.insert(aFont({ sha256: 'same' }), noLimit)),
    );
    const [kept] = (await fonts.list({ projectId, limit: 10 })).records;
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== 'inserted')).toEqual([kept, kept, kept]);
    expect(await store.artifacts.usage(projectId)).toBe(10);
    const { id: other } = await store.projects.ensure('other');
    expect(await fonts.insert(aFont({ sha256: 'same', projectId: other }), noLimit)).toBe('inserted');
  });

  test('have a number and a quota, and leave loose bytes', async () => {
    const { store, fonts, projectId, aFont } = await fresh();
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => fonts.insert(aFont(), { most: 2, quotaBytes: null })),
    );
    expect(outcomes.toSorted()).toEqual(['inserted', 'inserted', ...Array(4).fill('tooMany')]);
    expect(await fonts.insert(aFont(), { most: 9, quotaBytes: 25 })).toBe('overQuota');
    expect(await store.artifacts.usage(projectId)).toBe(20);
    const [first] = await fonts.ofProject(projectId);
    expect(await fonts.remove(first?.id ?? '', projectId)).toBe(true);
    expect(await store.artifacts.usage(projectId)).toBe(10);
    expect(await looseIds(store, { nodeId: 'node_1', bootId: 'boot' }, '', 10)).toEqual([first?.id]);
  });
});
