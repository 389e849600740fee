import { expect, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { createLog } from '../kit/log.ts';
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
