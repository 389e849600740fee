import { expect, onTestFinished, test } from 'vitest';
import { type DatabaseKind, databases, freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent } from '../../tests/support/samples.ts';
import { createLog } from '../kit/log.ts';
import { createEvents, type EventType } from './events.ts';
import { writingInOrder } from './in-order.ts';

async function fresh(kind: DatabaseKind) {
  const bare = await (await freshDatabase(kind)).open();
  const events = createEvents({ store: bare, log: createLog('silent') });
  onTestFinished(() => events.close());
  const store = writingInOrder(bare, events);
  const { id: projectId } = await store.projects.ensure('default');
  const browser = aBrowser({ projectId, status: 'ready' });
  await store.browsers.insert(browser, []);
  const note = (type: EventType, of = browser): void =>
    events.note({ ...anEvent(of, { at: Date.now() }), type });
  const change = (status: string) =>
    store.browsers.change(browser.id, {}, { status }, [anEvent(browser, { type: `browser.${status}` })]);
  const told = async () => {
    await events.flush();
    return (await store.events.list({ projectId, browserId: browser.id, limit: 100 })).map(
      ({ type, at }) => ({ type, at }),
    );
  };
  return { bare, events, browser, note, change, told };
}

test.each(databases)(
  'the numbers of a browser’s events are the order in which they happened, on %s',
  async (kind) => {
    const { events, note, change, told } = await fresh(kind);
    note('script.started');
    void events.flush();
    note('script.completed');
    const closing = change('closing');
    note('tab.closed');
    await closing;
    note('console.error');
    await change('closed');
    const all = await told();
    expect(all.map(({ type }) => type)).toEqual([
      ...[
        'script.started',
        'script.completed',
        'tab.closed',
        'browser.closing',
        'console.error',
        'browser.closed',
      ],
    ]);
    const times = all.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  },
);

test('what is noted while a change is written comes after it, and other browsers do not wait', async () => {
  const { bare, events, browser, note, told } = await fresh('sqlite');
  const other = aBrowser({ projectId: browser.projectId });
  const gate = Promise.withResolvers<void>();
  const turn = events.inTurn(browser.id, async () => {
    await gate.promise;
    await bare.events.append([anEvent(browser, { type: 'browser.closing' })]);
  });
  await new Promise(setImmediate);
  note('tab.closed');
  note('tab.opened', other);
  await events.flush();
  const { projectId } = browser;
  expect(await bare.events.list({ projectId, limit: 9 })).toMatchObject([{ type: 'tab.opened' }]);
  gate.resolve();
  await turn;
  expect((await told()).map(({ type }) => type)).toEqual(['browser.closing', 'tab.closed']);
});

test('a change that fails loses nothing that was noted before it', async () => {
  const { events, browser, note, told } = await fresh('sqlite');
  note('script.completed');
  await expect(events.inTurn(browser.id, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await told()).toMatchObject([{ type: 'script.completed' }]);
});
