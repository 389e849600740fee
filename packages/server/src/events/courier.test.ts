import { expect, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
import { Courier } from './courier.ts';

/** Much longer than a test may take. */
const flushMs = 600_000;

test('a courier that has nothing to send ends at once, however long it might', async () => {
  const store = await (await freshDatabase('sqlite')).open();
  const sent: string[] = [];
  const courier = new Courier({
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
  await courier.start();
  await courier.close(flushMs);
  expect(sent).toEqual([]);
});
