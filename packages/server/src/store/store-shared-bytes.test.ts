import { describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anArtifact } from '../../tests/support/samples.ts';
import { newId } from '../kit/id.ts';

const place = 'shared';

describe.each(databases)('bytes that nodes share, on %s', (kind) => {
  const fresh = async () => {
    const database = await freshDatabase(kind);
    const store = await database.open();
    const { id: projectId } = await store.projects.ensure('default');
    const browser = aBrowser({ projectId });
    await store.browsers.insert(browser, []);
    const boot = async (nodeId: string): Promise<string> => {
      const bootId = newId('node');
      await store.nodes.boot({ id: nodeId, bootId, startedAt: 1, heartbeatAt: Date.now() });
      return bootId;
    };
    const [zombie, sweeper] = [await boot('node_1'), await boot('node_2')];
    const take = () => store.artifacts.takeLoose({ nodeId: place, bootId: sweeper, shared: true }, '', 100);
    const written = async (fields = {}) => {
      const artifact = anArtifact(browser, { nodeId: place, ...fields });
      await store.artifacts.announce(artifact.id, { nodeId: place, bootId: zombie });
      return artifact;
    };
    return { store, browser, projectId, boot, zombie, sweeper, take, written };
  };

  test('are left alone while the boot that writes them is alive, and taken once it is gone', async () => {
    const { store, zombie, take, written } = await fresh();
    const { id } = await written();
    expect(await take()).toEqual([]);
    await store.nodes.drain(zombie);
    expect(await take()).toEqual([]);
    await store.nodes.bury(zombie, 'lease', 0);
    expect(await take()).toEqual([{ id, wasCut: true, mayComeLate: true }]);
    // not removed yet: the storage may have been away
    expect(await take()).toEqual([{ id, wasCut: true, mayComeLate: true }]);
    await store.artifacts.markSwept([id]);
    expect(await take()).toEqual([]);
  });

  test('are taken when the node of their writer has started again', async () => {
    const { boot, take, written } = await fresh();
    const { id } = await written();
    await boot('node_1');
    expect(await take()).toEqual([{ id, wasCut: true, mayComeLate: true }]);
  });

  test('get no record from a boot that comes late, whose bytes were taken', async () => {
    const { store, projectId, zombie, take, written } = await fresh();
    const [late, swept, intime] = [await written(), await written(), await written()];
    await store.nodes.bury(zombie, 'lease', 0);
    // It was slow, but its bytes are there: what was announced is not yet taken.
    expect(await store.artifacts.insert(intime, null)).toBe('inserted');
    expect((await take()).map(({ id }) => id).toSorted()).toEqual([late.id, swept.id].toSorted());
    await store.artifacts.markSwept([swept.id]);
    for (const artifact of [late, swept])
      await expect(store.artifacts.insert(artifact, null)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
    expect(await store.artifacts.usage(projectId)).toBe(intime.size);
    expect(await take()).toMatchObject([{ id: late.id }]);
  });

  test('of an artifact that is unfinished wait for the boot that takes it over', async () => {
    const { store, zombie, boot, take, written } = await fresh();
    const begun = await written({
      nodeId: 'node_1',
      kind: 'recording',
      state: 'finalizing',
      bootId: zombie,
      size: 0,
    });
    await store.artifacts.forget([begun.id], [place]);
    await store.artifacts.insert(begun, null);
    await store.artifacts.announce(begun.id, { nodeId: place, bootId: zombie });
    await store.nodes.bury(zombie, 'crash', 0);
    expect(await take()).toEqual([]);
    const next = await boot('node_1');
    expect(await store.artifacts.inherit({ nodeId: 'node_1', bootId: next })).toMatchObject([
      { id: begun.id },
    ]);
    await store.artifacts.announce(begun.id, { nodeId: place, bootId: next });
    const made = { state: 'ready', bootId: null, nodeId: place, size: 9 };
    expect(await store.artifacts.change(begun.id, next, made, null)).toMatchObject(made);
    expect(await take()).toEqual([]);
  });

  test('whose record went are taken and forgotten by any node', async () => {
    const { store, browser, projectId, take, written } = await fresh();
    const artifact = await written();
    await store.artifacts.insert(artifact, null);
    expect(await take()).toEqual([]);
    await store.artifacts.remove(artifact.id, { projectId, browserId: browser.id });
    expect(await take()).toEqual([{ id: artifact.id, wasCut: false, mayComeLate: false }]);
    await store.artifacts.forget([artifact.id], [place]);
    expect(await take()).toEqual([]);
  });
});
