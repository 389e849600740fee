import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { newId } from '../kit/id.ts';
import type { CachedAnswerRecord } from './records.ts';

const nodeId = 'node_1';
const on = { nodeId, bootId: 'boot_2' };

describe.each(databases)('kept answers on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const anAnswer = (key: string, fields: Partial<CachedAnswerRecord> = {}): CachedAnswerRecord => ({
      id: newId('answer'),
      projectId,
      nodeId,
      key,
      profileId: null,
      madeAt: 1,
      checkedAt: 1,
      usedAt: 1,
      size: 10,
      ...fields,
    });
    const insert = async (answer: CachedAnswerRecord, mostBytes = 1000) => {
      await store.artifacts.announce(answer.id, { nodeId: answer.nodeId, bootId: 'boot_1' });
      return store.cachedAnswers.insert(answer, mostBytes);
    };
    const loose = () => looseIds(store, on, '', 100);
    return { store, answers: store.cachedAnswers, projectId, anAnswer, insert, loose };
  };

  test('are found by their key, in their project and on their node alone, and count as used', async () => {
    const { store, answers, projectId, anAnswer, insert, loose } = await fresh();
    const answer = anAnswer('a');
    expect(await insert(answer)).toEqual({ dropped: [] });
    expect(await loose()).toEqual([]);
    expect(await answers.use({ projectId, nodeId, key: 'a' }, 7)).toEqual({ ...answer, usedAt: 7 });
    expect(await answers.use({ projectId, nodeId, key: 'b' }, 7)).toBeUndefined();
    expect(await answers.use({ projectId, nodeId: 'node_2', key: 'a' }, 7)).toBeUndefined();
    const { id: other } = await store.projects.ensure('other');
    expect(await answers.use({ projectId: other, nodeId, key: 'a' }, 7)).toBeUndefined();
  });

  test('take the place of one with the same key, and count into no quota', async () => {
    const { store, answers, projectId, anAnswer, insert, loose } = await fresh();
    const [first, second] = [anAnswer('a'), anAnswer('a', { size: 20 })];
    await insert(first);
    expect(await insert(second)).toEqual({ dropped: [first.id] });
    expect(await loose()).toEqual([first.id]);
    expect(await answers.use({ projectId, nodeId, key: 'a' }, 1)).toEqual(second);
    expect(await store.artifacts.usage(projectId)).toBe(0);
  });

  test('make room by themselves: those that were not used for the longest go first', async () => {
    const { store, answers, projectId, anAnswer, insert } = await fresh();
    const kept = ['a', 'b', 'c'].map((key, at) => anAnswer(key, { usedAt: at + 1 }));
    for (const each of kept) await insert(each, 30);
    await answers.use({ projectId, nodeId, key: 'a' }, 9);
    expect(await insert(anAnswer('d', { size: 15, usedAt: 10 }), 30)).toEqual({
      dropped: [kept[1]?.id, kept[2]?.id],
    });
    const { id: other } = await store.projects.ensure('other');
    expect(await insert(anAnswer('a', { projectId: other }), 30)).toEqual({ dropped: [] });
    expect((await answers.use({ projectId, nodeId, key: 'a' }, 11))?.id).toBe(kept[0]?.id);
  });

  test('of the same key at the same time end as one', async () => {
    const { answers, projectId, anAnswer, insert, loose } = await fresh();
    const all = Array.from({ length: 5 }, () => anAnswer('a'));
    const outcomes = await Promise.all(all.map((each) => insert(each)));
    const kept = await answers.use({ projectId, nodeId, key: 'a' }, 2);
    const others = all.map(({ id }) => id).filter((id) => id !== kept?.id);
    expect(outcomes.some((outcome) => outcome !== 'taken')).toBe(true);
    expect((await loose()).toSorted()).toEqual(others.toSorted());
  });

  test('stay as long as their site confirms them, and go with their profile', async () => {
    const { answers, projectId, anAnswer, insert, loose } = await fresh();
    const [old, confirmed, saved, elsewhere] = [
      anAnswer('a'),
      anAnswer('b'),
      anAnswer('c', { profileId: 'profile_1', checkedAt: 9 }),
      anAnswer('d', { profileId: 'profile_1', checkedAt: 9, nodeId: 'node_2' }),
    ];
    for (const each of [old, confirmed, saved, elsewhere]) await insert(each);
    expect(await answers.confirm(confirmed.id, 9)).toBe(true);
    expect(await answers.removeUnchecked([nodeId], 5, 100)).toEqual([old.id]);
    expect(await answers.removeOfProfile('profile_1', [nodeId])).toEqual([saved.id]);
    expect(await loose()).toEqual([old.id, saved.id].toSorted());
    expect(await answers.confirm(old.id, 9)).toBe(false);
    expect(await answers.remove(confirmed.id, [nodeId])).toEqual([confirmed.id]);
    expect(await answers.use({ projectId, nodeId, key: 'b' }, 9)).toBeUndefined();
  });
});
