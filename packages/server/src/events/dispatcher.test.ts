import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent, aWebhook } from '../../tests/support/samples.ts';
import { createLog } from '../kit/log.ts';
import type { Store } from '../store/records.ts';
import { Dispatcher } from './dispatcher.ts';

/** Much longer than a test may take. */
const flushMs = 600_000;

test('a dispatcher that has nothing to send ends at once, however long it might', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const sent: string[] = [];
  const dispatcher = new Dispatcher({
    store,
    log: createLog('silent'),
    nodeId: 'node_1',
    post: async (url) => {
      sent.push(url);
      return { status: 200, headers: {} };
    },
    retriesMs: [],
    userAgent: 'test',
  });
  await dispatcher.start();
  await dispatcher.close(flushMs);
  expect(sent).toEqual([]);
});

test('an event costs the node whose turn its project is a look, and the others nothing, however many they are', async () => {
  const database = await freshDatabase('postgres');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const looks = new Map<string, number>();
  const { id: projectId } = await (await database.open()).projects.ensure('default');
  const sent: string[] = [];
  const [writer] = await Promise.all(
    names.map(async (name) => {
      const store = await database.open();
      const seen: Store = {
        ...store,
        webhooks: {
          ...store.webhooks,
          advance: (plan, atOnce) => {
            looks.set(name, (looks.get(name) ?? 0) + 1);
            return store.webhooks.advance(plan, atOnce);
          },
        },
      };
      const dispatcher = new Dispatcher({
        store: seen,
        log: createLog('silent'),
        nodeId: name,
        turn: {
          nodes: () => names.length,
          isMine: (of) => of === projectId && name === 'c',
          take: async () => true,
        },
        lookEveryMs: flushMs,
        post: async (url) => {
          sent.push(`${name} ${url}`);
          return { status: 200, headers: {} };
        },
        retriesMs: [],
        userAgent: 'test',
      });
      await dispatcher.start();
      onTestFinished(() => dispatcher.close(flushMs));
      return store;
    }),
  );
  // Each looks at its start, and when it is first heard that signals come.
  await expect.poll(() => names.every((name) => (looks.get(name) ?? 0) >= 2)).toBe(true);
  await writer!.webhooks.insert(aWebhook(projectId, { events: ['*'], url: 'http://receiver.test' }));
  const before = new Map(looks);
  const browser = aBrowser({ projectId });
  for (let n = 1; n <= 5; n++) {
    await writer!.events.append([anEvent(browser)]);
    await expect.poll(() => sent).toEqual(Array.from({ length: n }, () => 'c http://receiver.test'));
  }
  const rise = (name: string) => (looks.get(name) ?? 0) - (before.get(name) ?? 0);
  expect(rise('c')).toBeGreaterThanOrEqual(5);
  for (const name of names.filter((other) => other !== 'c')) expect(rise(name)).toBe(0);
});
