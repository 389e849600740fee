import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../tests/support/databases.ts';
import { aBrowser } from '../tests/support/samples.ts';
import { startChores } from './chores.ts';
import { createLog } from './kit/log.ts';

const pace = { overdueEveryMs: 10, holdsEveryMs: 10, lostEveryMs: 10 };
const past = Date.now() - 60_000;

async function fresh() {
  const store = await (await freshDatabase('sqlite')).open();
  const { id: projectId } = await store.projects.ensure('default');
  const add = async (fields: object) => {
    const browser = aBrowser({ projectId, ...fields });
    await store.browsers.insert(browser, []);
    return browser.id;
  };
  const closed: string[] = [];
  const close = async (id: string) => {
    closed.push(id);
    await store.browsers.change(id, {}, { status: 'closed' });
  };
  const start = (node: { alone: boolean }, { mine = true, closeOverdue = close } = {}) => {
    const done = { holds: 0, lost: 0 };
    const turn = { nodes: () => 2, isMine: () => mine, take: async () => mine };
    const chores = { browsers: { closeOverdue, leaveLine: close }, endLostWork: async () => ++done.lost };
    const profiles = { releaseDead: async () => void done.holds++ };
    const parts = { store, turn, node, log: createLog('silent'), profiles, ...chores };
    const started = startChores(parts, pace);
    onTestFinished(() => started[Symbol.asyncDispose]());
    return done;
  };
  return { add, closed, close, start };
}

test('browsers that no node holds are closed when their time is over; one that fails holds up no other', async () => {
  const { add, closed, close, start } = await fresh();
  const stopped = await add({ status: 'stopped', expiresAt: past });
  const bad = await add({ status: 'failed', expiresAt: past - 1 });
  await add({ status: 'ready', holder: 'a boot', expiresAt: past });
  await add({ status: 'stopped', expiresAt: Date.now() + 3_600_000 });
  let failures = 0;
  start(
    { alone: false },
    {
      closeOverdue: async (id) => {
        if (id === bad && failures++ === 0) throw new Error('its folder cannot be removed');
        await close(id);
      },
    },
  );
  await expect.poll(() => [...closed].sort()).toEqual([stopped, bad].sort());
  expect(closed[0]).toBe(stopped);
});

test('creates that wait in line for longer than they would leave it, once the node that took them had its time', async () => {
  const { add, closed, start } = await fresh();
  const lapsed = await add({ queuedAt: 1, queuedUntil: past });
  // Its own node is about to say so.
  await add({ queuedAt: 1, queuedUntil: Date.now() });
  await add({ queuedAt: 1, queuedUntil: Date.now() + 3_600_000 });
  await add({ status: 'creating', holder: 'a boot', queuedUntil: past });
  start({ alone: false });
  await expect.poll(() => closed).toContain(lapsed);
  expect(closed).toEqual([lapsed]);
});

test('a node whose turn it is not, and one that works alone, do nothing of it', async () => {
  const { add, closed, start } = await fresh();
  await add({ status: 'stopped', expiresAt: past });
  const idle = [start({ alone: true }), start({ alone: false }, { mine: false })];
  const busy = start({ alone: false });
  await expect.poll(() => closed.length).toBe(1);
  await expect.poll(() => busy.lost > 2 && busy.holds > 2).toBe(true);
  for (const done of idle) expect(done).toEqual({ holds: 0, lost: 0 });
});
