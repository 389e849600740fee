import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Computer, computerOf } from '../support/computer-client.ts';
import { computerPages, spots } from '../support/computer-pages.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
let screen: Computer;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startSite(computerPages)]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});
beforeEach(async () => {
  const policy = { privateAccess: { localhost: true } };
  id = (await server.api.create({ policy, startUrl: `${site.origin}/desk`, dialogs: 'manual' })).body.id;
  screen = computerOf(server.api, id);
});

const eventsOf = async () =>
  (await server.api.call('GET', `/v1/browsers/${id}/events?type=computer.*&order=asc`)).body.items;
/** Events are written a moment after the answer. */
const theEvent = async () => (await eventually(eventsOf, (items) => items.length > 0))[0];

test('a call has an event that says what was done, and where', async () => {
  const { page } = await screen.does([
    { type: 'click', ...spots.button },
    { action: 'mouse_move', coordinate: [12, 34] },
    {
      type: 'drag',
      path: [
        { x: 500, y: 300 },
        { x: 510, y: 310 },
      ],
    },
    { type: 'scroll', x: 500, y: 500, unit: 'thousandths', deltaY: 10 },
  ]);
  const event = await theEvent();
  expect(event).toMatchObject({ type: 'computer.completed', browserId: id });
  expect(event.data).toMatchObject({
    durationMs: expect.any(Number),
    actions: [
      {
        type: 'click',
        tabId: page.tabId,
        ...spots.button,
        hit: { tag: 'button', role: 'button' },
        changed: true,
      },
      { type: 'move', x: 12, y: 34 },
      { type: 'drag', x: 500, y: 300 },
      { type: 'scroll', x: 500, y: 500, unit: 'thousandths' },
    ],
  });
  expect(event.data).not.toHaveProperty('code');
});

test('neither text, keys, names nor addresses are in it', async () => {
  const hidden = ['hunter2', 'p4ssw0rd', 'ControlOrMeta', 'secret=7', 'Press me'];
  await screen.does([
    { type: 'type', ...spots.field, text: 'hunter2' },
    { type: 'key', keys: 'Control+A' },
    { type: 'copy' },
    { type: 'paste', text: 'p4ssw0rd' },
    { type: 'click', ...spots.button },
    { type: 'navigate', url: `${site.origin}/desk?secret=7` },
  ]);
  const { data } = await theEvent();
  expect(data.actions.map(({ type }: { type: string }) => type)).toEqual([
    'type',
    'key',
    'copy',
    'paste',
    'click',
    'navigate',
  ]);
  expect(data.actions.at(-1)).toMatchObject({ navigated: true });
  for (const word of [...hidden, 'Control', site.origin]) expect(JSON.stringify(data)).not.toContain(word);
});

test('one that fails says which action, and why', async () => {
  await screen.use([
    { type: 'move', x: 5, y: 5 },
    { type: 'click', x: 90_000, y: 5 },
    { type: 'type', text: 'never' },
  ]);
  const event = await theEvent();
  expect(event.type).toBe('computer.failed');
  expect(event.data).toMatchObject({
    code: 'POINT_OUTSIDE_SCREEN',
    actions: [{ type: 'move' }],
    failedIndex: 1,
    failed: { type: 'click', x: 90_000, y: 5 },
  });
});

test('one that was cut short has its event too', async () => {
  const began = { type: 'navigate', url: `${site.origin}/desk?began` };
  const running = screen.use([began, { type: 'wait', ms: 30_000 }]).catch(() => undefined);
  await eventually(
    async () => site.requests,
    (requests) => requests.some(({ url }) => url === '/desk?began'),
  );
  await server.api.remove(id);
  await running;
  const event = await theEvent();
  expect(event).toMatchObject({ type: 'computer.failed', data: { code: expect.any(String) } });
});
