import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser } from '../../tests/support/samples.ts';

const bootId = 'boot';
/** About ten answers of this length. */
const mostBytes = 10_000;
const body = JSON.stringify({ filler: 'x'.repeat(300) });

describe.each(databases)('answers that are kept for an Idempotency-Key, on %s', (kind) => {
  const fresh = async () => {
    const store = await (await freshDatabase(kind)).open();
    const { id: projectId } = await store.projects.ensure('default');
    let createdAt = 0;
    const claim = (key: string, ofProject = projectId) =>
      store.idempotency.claim(
        { projectId: ofProject, key, fingerprint: 'print', bootId, createdAt: ++createdAt },
        mostBytes,
      );
    const answer = async (key: string, statusCode: number): Promise<boolean> => {
      if ((await claim(key)) === 'full') return false;
      await store.idempotency.complete(projectId, key, bootId, { statusCode, body });
      return true;
    };
    /** The keys that were taken until there was no room. */
    const fill = async (name: string, statusCode: number): Promise<string[]> => {
      for (const taken: string[] = []; ; taken.push(`${name} ${taken.length}`))
        if (taken.length > 100 || !(await answer(`${name} ${taken.length}`, statusCode))) return taken;
    };
    const isKept = async (key: string) => (await store.idempotency.get(projectId, key)) !== undefined;
    return { store, projectId, claim, answer, fill, isKept };
  };

  test('have a limit for their project, at which new keys are refused and known ones are answered', async () => {
    const { store, claim, fill } = await fresh();
    const taken = await fill('made', 201);
    expect(taken.length).toBeGreaterThan(5);
    expect(taken.length).toBeLessThan(20);
    expect(await claim('one more')).toBe('full');
    for (const key of taken) expect(await claim(key)).toMatchObject({ statusCode: 201, body });
    const { id: other } = await store.projects.ensure('other');
    expect(await claim('one more', other)).toBeUndefined();
  });

  test('give their room back when their time is over', async () => {
    const { store, claim, fill, isKept } = await fresh();
    const [first = '', ...others] = await fill('made', 201);
    await store.sweep({ closedBefore: 0, idempotencyBefore: 2 });
    expect(await isKept(first)).toBe(false);
    expect(await claim('one more')).toBeUndefined();
    await store.sweep({ closedBefore: 0, idempotencyBefore: 1000 });
    const again = await fill('again', 201);
    expect(again).toHaveLength(others.length + 1);
  });

  test('make room where they are refusals that changed nothing, and nowhere else', async () => {
    const { store, projectId, claim, answer, fill, isKept } = await fresh();
    await claim('made a browser');
    await store.browsers.insert(aBrowser({ projectId }), [], { key: 'made a browser', bootId });
    await store.idempotency.complete(projectId, 'made a browser', bootId, { statusCode: 404, body });
    await answer('conflict', 409);
    await answer('wrong', 400);
    const made = await fill('made', 201);
    // What was refused made room for one more.
    expect(await isKept('wrong')).toBe(false);
    for (const key of ['made a browser', 'conflict', ...made]) expect(await isKept(key)).toBe(true);
    expect(await claim('one more')).toBe('full');
  });

  test('never stop anything where only refusals are kept', async () => {
    const { claim, fill } = await fresh();
    expect(await fill('not there', 404)).toHaveLength(101);
    expect(await claim('one more')).toBeUndefined();
  });
});
