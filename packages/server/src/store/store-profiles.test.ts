import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { looseIds } from '../../tests/support/loose-ids.ts';
import { aBrowser, anEvent, aProfile, aProfileVersion } from '../../tests/support/samples.ts';

const node = { nodeId: 'node_1', bootId: 'boot_2' };
const noQuota = { quotaBytes: null, events: [] };

describe.each(databases)('profiles in the store on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const profile = aProfile({ projectId, name: 'github', metadata: { team: 'red', tier: '1' } });
    await store.profiles.insert(profile, noQuota);
    const browser = (status = 'ready') => aBrowser({ projectId, status });
    return { database, store, projectId, profile, browser };
  };

  test('come back with every field as it was, by id and by name, and belong to their project', async () => {
    const { store, projectId, profile } = await fresh();
    expect(await store.profiles.get({ id: profile.id }, projectId)).toEqual(profile);
    expect(await store.profiles.get({ name: 'github' }, projectId)).toEqual(profile);
    expect(await store.profiles.get({ id: profile.id }, 'project_other')).toBeUndefined();
    expect(await store.profiles.get({ name: 'GitHub' }, projectId)).toBeUndefined();
    const patch = {
      name: null,
      metadata: { team: 'blue' },
      expiresAt: 5,
      signInCheck: { url: 'x' },
      health: { a: 1 },
    };
    expect(await store.profiles.change(profile.id, 'project_other', patch)).toBe('gone');
    expect(await store.profiles.change(profile.id, projectId, patch)).toEqual({ ...profile, ...patch });
    expect(await store.profiles.change(profile.id, projectId, {})).toEqual({ ...profile, ...patch });
  });

  test('have names that no other of their project has', async () => {
    const { store, projectId } = await fresh();
    const other = aProfile({ projectId, name: 'github' });
    expect(await store.profiles.insert(other, noQuota)).toBe('nameTaken');
    expect(await store.profiles.insert({ ...other, name: null }, noQuota)).toBe('inserted');
    expect(await store.profiles.insert(aProfile({ projectId }), noQuota)).toBe('inserted');
    expect(await store.profiles.change(other.id, projectId, { name: 'github' })).toBe('nameTaken');
    const { id: elsewhere } = await store.projects.ensure('other');
    expect(await store.profiles.insert(aProfile({ projectId: elsewhere, name: 'github' }), noQuota)).toBe(
      'inserted',
    );
  });

  test('are listed newest first, page by page, by their metadata', async () => {
    const { store, projectId, profile } = await fresh();
    const newer = aProfile({ projectId, createdAt: profile.createdAt + 1, metadata: { team: 'red' } });
    await store.profiles.insert(newer, noQuota);
    const ids = async (query: object) =>
      (await store.profiles.list({ projectId, limit: 10, ...query })).records.map(({ id }) => id);
    expect(await ids({})).toEqual([newer.id, profile.id]);
    expect(await ids({ limit: 1 })).toEqual([newer.id]);
    expect(await ids({ after: newer })).toEqual([profile.id]);
    expect(await ids({ metadata: { team: 'red' } })).toEqual([newer.id, profile.id]);
    expect(await ids({ metadata: { team: 'red', tier: '1' } })).toEqual([profile.id]);
    expect(await ids({ metadata: { team: '1' } })).toEqual([]);
    await store.profiles.change(profile.id, projectId, { metadata: {} });
    expect(await ids({ metadata: { tier: '1' } })).toEqual([]);
  });

  test('let one of many browsers write that are made at the same time, and name it to the others', async () => {
    const { database, store, profile, browser } = await fresh();
    const other = await database.open();
    const all = Array.from({ length: 12 }, () => browser());
    const outcomes = await Promise.all(
      all.map((one, n) =>
        (n % 2 ? other : store).browsers.insert(one, [], undefined, { writes: profile.id }),
      ),
    );
    const winner = all[outcomes.indexOf('inserted')];
    expect(outcomes.filter((outcome) => outcome === 'inserted')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== 'inserted')).toEqual(
      Array.from({ length: 11 }, () => ({ heldBy: winner?.id })),
    );
    const made = await Promise.all(all.map(({ id }) => store.browsers.get(id)));
    expect(made.filter(Boolean)).toHaveLength(1);
    const nowhere = await store.browsers.insert(browser(), [], undefined, { writes: 'profile_none' });
    expect(nowhere).toBe('profileGone');
  });

  test('are free again when their browser is released, over or gone', async () => {
    const { store, projectId, profile, browser } = await fresh();
    const [first, second, third] = [browser(), browser(), browser()];
    const claim = (one: typeof first) => store.browsers.insert(one, [], undefined, { writes: profile.id });
    await claim(first);
    expect(await store.profiles.release(profile.id, second.id)).toBe(false);
    expect(await store.profiles.releaseDead()).toEqual([]);
    expect(await store.profiles.release(profile.id, first.id)).toBe(true);
    expect(await claim(second)).toBe('inserted');
    await store.browsers.change(second.id, {}, { status: 'failed' });
    expect(await claim(third)).toBe('inserted');
    await store.browsers.change(third.id, {}, { status: 'closed' });
    expect(await store.profiles.releaseDead()).toEqual([profile.id]);
    expect((await store.profiles.get({ id: profile.id }, projectId))?.writer).toBeNull();
  });

  test('get a version only after the one that its maker saw, and only from their writer', async () => {
    const { store, projectId, profile, browser } = await fresh();
    const options = { keep: 5, ...noQuota };
    const version = aProfileVersion(profile);
    await store.artifacts.announce(version.id, { ...node, bootId: 'boot_1' });
    expect(await store.profiles.addVersion(version, { version: 3, writer: null }, options)).toBe('moved');
    expect(await looseIds(store, node, '', 10)).toEqual([version.id]);
    const added = await store.profiles.addVersion(version, { version: 0, writer: null }, options);
    const { size, cookieCount, cookieDomains, origins } = version;
    const contents = { size, cookieCount, cookieDomains, origins };
    const record = { ...profile, ...contents, version: 1, updatedAt: version.createdAt };
    expect(added).toEqual({ record, dropped: [] });
    expect(await store.profiles.get({ id: profile.id }, projectId)).toEqual(record);
    expect(await store.profiles.version(profile.id, 1)).toEqual(version);
    expect(await looseIds(store, node, '', 10)).toEqual([]);
    expect(await store.artifacts.usage(projectId)).toBe(10);

    const writer = browser();
    await store.browsers.insert(writer, [], undefined, { writes: profile.id });
    const next = aProfileVersion(profile, { version: 2, browserId: writer.id, epoch: 1 });
    expect(await store.profiles.addVersion(next, { version: 1, writer: null }, options)).toBe('moved');
    expect(await store.profiles.addVersion(next, { version: 1, writer: writer.id }, options)).not.toBe(
      'moved',
    );
    expect(await store.profiles.versions(profile.id)).toEqual([next, version]);
  });

  test('of two that add the same version one wins', async () => {
    const { database, store, profile } = await fresh();
    const other = await database.open();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? other : store).profiles.addVersion(
          aProfileVersion(profile),
          { version: 0, writer: null },
          { keep: 5, ...noQuota },
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'moved')).toHaveLength(1);
  });

  test('keep their last versions, within the quota, and count and loosen what goes', async () => {
    const { store, projectId, profile } = await fresh();
    const ids: string[] = [];
    const add = async (number: number, quotaBytes: number | null = null) => {
      const version = aProfileVersion(profile, { version: number });
      ids.push(version.id);
      return store.profiles.addVersion(
        version,
        { version: number - 1, writer: null },
        { keep: 2, quotaBytes, events: [] },
      );
    };
    await add(1);
    await add(2);
    expect(await add(3)).toMatchObject({ dropped: [ids[0]] });
    expect(await add(4, 25)).toBe('overQuota');
    expect((await store.profiles.versions(profile.id)).map(({ version }) => version)).toEqual([3, 2]);
    expect(await store.artifacts.usage(projectId)).toBe(20);
    expect(await looseIds(store, node, '', 10)).toEqual([ids[0]]);
    expect(await store.profiles.remove(profile.id, projectId, [])).toEqual({
      dropped: expect.arrayContaining([ids[1], ids[2]]),
    });
    expect(await store.artifacts.usage(projectId)).toBe(0);
    expect((await looseIds(store, node, '', 10)).sort()).toEqual([ids[0], ids[1], ids[2]].sort());
    expect(await store.profiles.remove(profile.id, projectId, [])).toBe('gone');
  });

  test('are not removed, and do not expire, while a browser that lives writes them', async () => {
    const { store, projectId, profile, browser } = await fresh();
    const writer = browser();
    await store.browsers.insert(writer, [], undefined, { writes: profile.id });
    await store.profiles.change(profile.id, projectId, { expiresAt: 100 });
    expect(await store.profiles.remove(profile.id, projectId, [])).toEqual({ heldBy: writer.id });
    expect(await store.profiles.expired(200, 10)).toEqual([]);
    await store.profiles.release(profile.id, writer.id);
    expect(await store.profiles.expired(99, 10)).toEqual([]);
    expect(await store.profiles.expired(100, 10)).toEqual([{ id: profile.id, projectId }]);
  });

  test('tell of a change in the same transaction', async () => {
    const { store, projectId, profile, browser } = await fresh();
    const event = (type: string) => anEvent(browser(), { projectId, browserId: profile.id, type });
    await store.profiles.addVersion(
      aProfileVersion(profile),
      { version: 0, writer: null },
      { keep: 5, quotaBytes: null, events: [event('profile.saved')] },
    );
    await store.profiles.addVersion(
      aProfileVersion(profile),
      { version: 0, writer: null },
      { keep: 5, quotaBytes: null, events: [event('profile.saved')] },
    );
    await store.profiles.remove(profile.id, projectId, [event('profile.deleted')]);
    const told = await store.events.list({ projectId, limit: 10 });
    expect(told.map(({ type }) => type)).toEqual(['profile.saved', 'profile.deleted']);
  });
});
