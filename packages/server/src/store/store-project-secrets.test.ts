import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { newId } from '../kit/id.ts';
import type { ProjectSecretRecord } from './records.ts';

describe.each(databases)('secrets of projects on %s', (kind) => {
  const fresh = async () => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    const aSecret = (fields: Partial<ProjectSecretRecord> = {}): ProjectSecretRecord => ({
      id: newId('secret'),
      projectId,
      name: 'github/password',
      kind: 'value',
      origins: ['https://github.com'],
      metadata: { team: 'red' },
      content: '{"value":"hunter2"}',
      formBytes: 20,
      createdAt: 1,
      updatedAt: 1,
      lastUsedAt: null,
      ...fields,
    });
    return { store, projectId, aSecret, secrets: store.projectSecrets };
  };

  test('are found by id and by name, with every field, in their project alone', async () => {
    const { secrets, projectId, aSecret, store } = await fresh();
    const secret = aSecret();
    expect(await secrets.insert(secret)).toBe(true);
    expect(await secrets.get(secret.id, projectId)).toEqual(secret);
    expect(await secrets.named(projectId, secret.name)).toEqual(secret);
    const other = await store.projects.ensure('other');
    expect(await secrets.get(secret.id, other.id)).toBeUndefined();
    expect(await secrets.named(other.id, secret.name)).toBeUndefined();
    expect(await secrets.remove(secret.id, other.id)).toBe(false);
    expect(await secrets.change(secret.id, other.id, { content: 'x' })).toBeUndefined();
  });

  test('have a name once in a project, also of two at the same time', async () => {
    const { secrets, projectId, aSecret, store } = await fresh();
    const made = await Promise.all([secrets.insert(aSecret()), secrets.insert(aSecret())]);
    expect(made.toSorted()).toEqual([false, true]);
    const other = await store.projects.ensure('other');
    expect(await secrets.insert(aSecret({ projectId: other.id }))).toBe(true);
    expect(await secrets.totals(projectId)).toEqual({ count: 1, formBytes: 20 });
  });

  test('are listed newest first, changed and removed', async () => {
    const { secrets, projectId, aSecret } = await fresh();
    const all = [1, 2, 3].map((createdAt) => aSecret({ name: `s${createdAt}`, createdAt }));
    for (const each of all) await secrets.insert(each);
    const { records: first } = await secrets.list({ projectId, limit: 2 });
    expect(first.map(({ name }) => name)).toEqual(['s3', 's2']);
    const { records: rest } = await secrets.list({ projectId, limit: 2, after: first[1]! });
    expect(rest.map(({ name }) => name)).toEqual(['s1']);
    const changed = await secrets.change(all[0]!.id, projectId, {
      content: '{"value":"new"}',
      lastUsedAt: 9,
    });
    expect(changed).toEqual({ ...all[0], content: '{"value":"new"}', lastUsedAt: 9 });
    const used = (since: number, after = '') => secrets.used({ since, after, limit: 1 });
    expect(await used(-1)).toEqual([changed]);
    expect(await used(8)).toEqual([changed]);
    expect(await used(9)).toEqual([]);
    const other = await secrets.change(all[1]!.id, projectId, { lastUsedAt: 9, formBytes: 30 });
    const [nearer, farther] = [changed!, other!].sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(await used(8)).toEqual([nearer]);
    expect(await used(8, nearer!.id)).toEqual([farther]);
    expect(await used(8, farther!.id)).toEqual([]);
    expect(await secrets.remove(all[0]!.id, projectId)).toBe(true);
    expect(await secrets.remove(all[0]!.id, projectId)).toBe(false);
    expect(await secrets.totals(projectId)).toEqual({ count: 2, formBytes: 50 });
    expect(await secrets.totals('project_none')).toEqual({ count: 0, formBytes: 0 });
  });
});
