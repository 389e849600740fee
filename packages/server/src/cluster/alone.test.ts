import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { databases, freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
import type { Store } from '../store/records.ts';
import { joinAlone } from './alone.ts';
import type { Cluster } from './cluster.ts';

const log = createLog('silent');
/** The heartbeats of a boot go on far sooner than another takes it for silent. */
const pace = { heartbeatMs: 20, silenceMs: 60_000, lookEveryMs: 5 };
const impatient = { ...pace, silenceMs: 100 };

const joined: Cluster[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(joined.splice(0).map((node) => node[Symbol.asyncDispose]()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-node-'));
  folders.push(folder);
  return folder;
}

async function joinFrom(store: Store, dataDir = aFolder(), withPace = pace): Promise<Cluster> {
  const node = await joinAlone({ store, dataDir, log }, withPace);
  joined.push(node);
  return node;
}

/** A boot that ended without a word a moment ago. */
const killed = (store: Store, id = 'node_killed') =>
  store.nodes.boot({ id, bootId: `boot of ${id}`, startedAt: Date.now(), heartbeatAt: Date.now() });

describe.each(databases)('a node on %s', (kind) => {
  test('keeps its id over restarts, and has a boot of its own each time', async () => {
    const store = await (await freshDatabase(kind)).open();
    const dataDir = aFolder();
    const first = await joinFrom(store, dataDir);
    await first[Symbol.asyncDispose]();
    const second = await joinFrom(store, dataDir);
    expect(second.id).toBe(first.id);
    expect(second.bootId).not.toBe(first.bootId);
    expect(await store.nodes.list()).toMatchObject([{ id: first.id, bootId: second.bootId }]);
  });

  test('does not start beside one that is alive, and says what to do', async () => {
    const store = await (await freshDatabase(kind)).open();
    const first = await joinFrom(store);
    await expect(joinFrom(store)).rejects.toThrow(
      new RegExp(`Another browserd uses this database and is alive: node ${first.id}.*BROWSERD_DATABASE_URL`),
    );
    expect(await store.nodes.list()).toMatchObject([{ id: first.id }]);
  });

  test('starts at once when the other has left', async () => {
    const store = await (await freshDatabase(kind)).open();
    await (await joinFrom(store))[Symbol.asyncDispose]();
    await expect(joinFrom(store)).resolves.toBeDefined();
  });

  test('starts once the other, which was killed, has been silent for a while', async () => {
    const store = await (await freshDatabase(kind)).open();
    await killed(store);
    const node = await joinFrom(store, aFolder(), impatient);
    expect((await store.nodes.list()).map(({ id }) => id).sort()).toEqual(['node_killed', node.id].sort());
  });

  test('starts at once in the folder of the boot that was killed', async () => {
    const store = await (await freshDatabase(kind)).open();
    const dataDir = aFolder();
    writeFileSync(join(dataDir, 'node-id'), 'node_killed\n');
    writeFileSync(join(dataDir, 'boot-id'), 'boot of node_killed\n');
    await killed(store);
    await expect(joinFrom(store, dataDir)).resolves.toMatchObject({ id: 'node_killed' });
  });

  test('does not start from a copy of a folder whose service is alive', async () => {
    const store = await (await freshDatabase(kind)).open();
    const dataDir = aFolder();
    const copy = aFolder();
    const before = await joinFrom(store, dataDir);
    for (const name of ['node-id', 'boot-id'])
      writeFileSync(join(copy, name), readFileSync(join(dataDir, name)));
    await before[Symbol.asyncDispose]();
    const first = await joinFrom(store, dataDir);
    await expect(joinFrom(store, copy)).rejects.toThrow(/with a copy of this data folder/);
    await expect(Promise.race([first.replaced, sleep(pace.heartbeatMs * 3, 'alive')])).resolves.toBe('alive');
  });

  test('learns that another service took the database over while it gave no sign', async () => {
    const store = await (await freshDatabase(kind)).open();
    const asleep = await joinFrom(store);
    // As the other does with all that it found silent.
    await store.nodes.bury(asleep.bootId, 'lease', 0);
    await expect(asleep.replaced).resolves.toMatch(/has taken this database over.*BROWSERD_CLUSTER_ADDRESS/);
  });

  test('learns that another boot has its place', async () => {
    const store = await (await freshDatabase(kind)).open();
    const first = await joinFrom(store);
    await killed(store, first.id);
    await expect(first.replaced).resolves.toMatch(/with a copy of this data folder/);
  });
});
