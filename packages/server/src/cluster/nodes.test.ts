import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
import type { Store } from '../store/records.ts';
import { joinAlone } from './alone.ts';
import type { Cluster } from './cluster.ts';
import { joinMembers, paceOf } from './member.ts';
import { Nodes } from './nodes.ts';

const log = createLog('silent');
/** A sign of life each second, and a lease that outlives a machine that is busy with other tests. */
const pace = paceOf(10_000);
const asked = { keyId: 'key_of_the_operator' };
const page = { limit: 20 };

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'browserd-nodes-'));
  opened.push({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true }) });
  return folder;
}

async function joined(store: Store, clusterAddress: string, zone?: string): Promise<Cluster> {
  const node = await joinMembers(
    { store, dataDir: aFolder(), log, version: '1.2.3', zone, clusterAddress },
    pace,
  );
  opened.push(node);
  return node;
}

const nodesAt = (store: Store, cluster: Cluster): Nodes => new Nodes({ store, cluster, log });

describe('the operator', () => {
  test('sees a service that works alone as one node, which is the last', async () => {
    const store = await (await freshDatabase('sqlite')).open();
    const node = await joinAlone({ store, dataDir: aFolder(), log, version: '1.2.3' });
    opened.push(node);
    node.report(() => ({ used: 3, capacity: 7, warm: 2 }));
    const nodes = nodesAt(store, node);
    expect(await nodes.list(page)).toMatchObject({
      items: [
        {
          id: node.id,
          state: 'up',
          answering: true,
          version: '1.2.3',
          browsers: { used: 3, limit: 7, warm: 2 },
        },
      ],
      hasMore: false,
    });
    await expect(nodes.drain(node.id, asked)).rejects.toMatchObject({ code: 'LAST_NODE' });
    expect(await nodes.get(node.id)).toMatchObject({ state: 'up' });
  });

  test('sees all nodes at each of them, and drains one by asking another', async () => {
    const store = await (await freshDatabase('postgres')).open();
    const a = await joined(store, '127.0.0.1:1', 'eu-1a');
    const b = await joined(store, '127.0.0.1:2');
    const { items } = await nodesAt(store, a).list(page);
    expect(items).toMatchObject([
      { id: a.id, answering: true, zone: 'eu-1a', address: '127.0.0.1:1' },
      { id: b.id, answering: false, address: '127.0.0.1:2' },
    ]);
    expect(await nodesAt(store, a).drain(b.id, asked)).toMatchObject({ id: b.id, state: 'draining' });
    await b.drainAsked;
    expect(b.members().find(({ id }) => id === b.id)).toMatchObject({ state: 'draining' });
    expect(await nodesAt(store, b).drain(b.id, asked), 'asking again').toMatchObject({ state: 'draining' });
    await expect(nodesAt(store, b).drain(a.id, asked)).rejects.toMatchObject({ code: 'LAST_NODE' });
    await b[Symbol.asyncDispose]();
    expect(await nodesAt(store, a).get(b.id)).toMatchObject({ state: 'gone', goneAt: expect.any(String) });
    await expect(nodesAt(store, a).drain(b.id, asked)).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
  });

  test('turns pages of a long list, and finds no node that is not there', async () => {
    const store = await (await freshDatabase('sqlite')).open();
    const at = Date.now();
    for (let n = 1; n <= 5; n++) {
      // two of them started in the same millisecond
      const startedAt = at + Math.floor(n / 2);
      await store.nodes.boot({ id: `node_${n}`, bootId: `boot_${n}`, startedAt, heartbeatAt: startedAt });
    }
    const nodes = new Nodes({ store, cluster: { bootId: 'none', members: () => [] }, log });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = await nodes.list({ limit: 2, cursor });
      seen.push(...items.map(({ id }) => id));
      cursor = nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['node_1', 'node_2', 'node_3', 'node_4', 'node_5']);
    await expect(nodes.get('node_6')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
    await expect(nodes.list({ limit: 2, cursor: 'none' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });
});
