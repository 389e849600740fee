import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../../tests/support/databases.ts';
import { aBrowser, anEvent } from '../../tests/support/samples.ts';

const hintEveryMs = 100;

/** What other processes are told, in the order in which it comes. */
async function listening() {
  const database = await freshDatabase('postgres');
  const store = await database.open();
  const { id: projectId } = await store.projects.ensure('default');
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const told: string[] = [];
  client.on('notification', ({ payload = '' }) => told.push(payload));
  await client.query('listen browserd_events');
  const browser = aBrowser({ projectId });
  const happen = () => store.events.append([anEvent(browser)]);
  /** Notifications come in the order in which they were sent. */
  const untilTold = async () => {
    await client.query("select pg_notify('browserd_events', 'last')");
    await expect.poll(() => told.at(-1)).toBe('last');
    return told.filter((payload) => payload !== 'last');
  };
  return { store, projectId, told, happen, untilTold };
}

test('however many events are written, other processes are told of them ten times a second', async () => {
  const { store, projectId, happen, untilTold } = await listening();
  const began = performance.now();
  for (let n = 0; n < 20; n++) await Promise.all([happen(), happen(), happen(), happen(), happen()]);
  await store.close();
  const most = Math.ceil((performance.now() - began) / hintEveryMs) + 1;
  const told = await untilTold();
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(most);
  for (const payload of told) expect(payload.split(' ').slice(1)).toEqual([projectId]);
});

test('a process that has the database for itself tells no other, and hears of its own events all the same', async () => {
  const { store, projectId, happen, untilTold } = await listening();
  store.events.tellOthers(() => false);
  const heard: (string | undefined)[] = [];
  store.events.watch((project) => heard.push(project));
  await happen();
  expect(heard).toContain(projectId);
  expect(await untilTold()).toEqual([]);
});

test('events of more projects than a hint can name are a hint about all', async () => {
  const { store, told, untilTold } = await listening();
  const projects = await Promise.all(
    Array.from({ length: 150 }, (_, n) => store.projects.ensure(`project ${n}`)),
  );
  // The first commit is told at once, and what comes soon after it together.
  await store.events.append(projects.map(({ id: projectId }) => anEvent(aBrowser({ projectId }))));
  await store.close();
  await untilTold();
  expect(told.filter((payload) => payload !== 'last').map((payload) => payload.split(' ').length)).toEqual([
    1,
  ]);
});
