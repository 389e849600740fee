import { expect, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent } from '../../tests/support/samples.ts';
import { statementsOf } from '../../tests/support/statements.ts';

/** Statements of a transaction with its begin and commit. Each is a trip to the database, which a caller waits for. */
test('what is written for each call and event takes no more statements than it must', async () => {
  const database = await freshDatabase('postgres');
  const store = await database.open();
  // As of a service that has the database for itself.
  store.events.tellOthers(() => false);
  const { id: projectId } = await store.projects.ensure('default');
  const browser = aBrowser({ projectId, metadata: {} });
  const other = aBrowser({ projectId: (await store.projects.ensure('other')).id });
  const told = [anEvent(browser)];
  await store.browsers.insert(other, []);
  const counts: Record<string, number> = {};
  const count = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    counts[what] = (await statementsOf(work)).length;
  };
  // The first use of each connection sets its limits.
  await store.ping();
  await count('insert a browser', () => store.browsers.insert(browser, told));
  await count('change a browser, with its event', () =>
    store.browsers.change(browser.id, {}, { status: 'ready' }, told),
  );
  await count('change a browser', () => store.browsers.change(browser.id, {}, { lastActionAt: 1 }));
  await count('note events', () => store.events.append([...told, ...told]));
  await count('note events of two projects', () => store.events.append([...told, anEvent(other)]));
  await count('keep a state', () =>
    store.checkpoints.put({ browserId: browser.id, epoch: 1, at: 1, data: { cookies: [] } }),
  );
  await count('look for what webhooks are to be sent', async () => {
    await store.webhooks.advance(projectId, () => undefined, 10);
    await store.deliveries.due(projectId, { now: 1, limit: 1, except: [] });
  });
  expect(counts).toEqual({
    'insert a browser': 5,
    'change a browser, with its event': 5,
    'change a browser': 1,
    'note events': 4,
    'note events of two projects': 4,
    'keep a state': 1,
    'look for what webhooks are to be sent': 4,
  });
});
