import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { livePages } from '../support/live-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
let server: TestServer;
let site: Site;

beforeAll(async () => {
  [server, site] = await Promise.all([startServer(), startSite(livePages)]);
});
afterAll(async () => {
  await site.close();
  await server[Symbol.asyncDispose]();
});

describe.each([
  ['shell', found.shell],
  ['full', found.full],
])('in the engine %s a person', (engine, binary) => {
  let id: string;
  let viewer: Viewer;
  const run = async (code: string) => {
    const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
    expect(body.error).toBeUndefined();
    return body.result;
  };
  const read = (expression: string) => run(`return page.evaluate(() => ${expression})`);
  const noted = () => read('noted.splice(0)');
  const seen = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 50 });
  const mouse = (kind: string, x: number, y: number, more: object = {}) =>
    viewer.say({ type: 'mouse', kind, x, y, ...more });
  const down = { button: 'left', buttons: 1, clicks: 1 };
  const up = { button: 'left', buttons: 0, clicks: 1 };
  /** As a viewer tells it: with a few moves on the way. */
  const drag = ([x, y]: [number, number], [toX, toY]: [number, number], clicks = 1): void => {
    mouse('move', x, y, { buttons: 0 });
    mouse('down', x, y, { ...down, clicks });
    for (const part of [0.1, 0.3, 0.6, 1])
      mouse('move', x + (toX - x) * part, y + (toY - y) * part, { buttons: 1 });
    mouse('up', toX, toY, { ...up, clicks });
  };

  beforeAll(async () => {
    if (!binary) return;
    const policy = { privateAccess: { localhost: true } };
    const { body } = await server.api.create({ engine, policy, startUrl: `${site.origin}/drag` });
    id = body.id;
  });
  const enter = async (): Promise<void> => {
    await run(`await page.goto('${site.origin}/drag')`);
    viewer = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
    await vi.waitFor(() => expect(viewer.frames.length).toBeGreaterThan(0), { timeout: 90_000 });
  };

  test.skipIf(!binary)('selects text, moves a slider and one made by the page', async () => {
    await enter();
    drag([11, 20], [181, 20]);
    await seen(async () => expect(await read('getSelection().toString()')).toBe('one two three four'));
    drag([20, 70], [180, 70]);
    await seen(async () => expect(Number(await read('range.value'))).toBeGreaterThan(60));
    await noted();
    drag([30, 280], [230, 285]);
    await seen(async () => expect(await read('noted')).toEqual(['knob 200px', 'up 230']));
  });

  test.skipIf(!binary)('drags a thing to its place, and drops it there once', async () => {
    await enter();
    drag([40, 150], [350, 170]);
    await seen(async () => expect(await read('noted.join()')).toMatch(/^start,enter,drop the thing,end/));
    // the page takes the mouse again
    await noted();
    drag([30, 280], [130, 285]);
    await seen(async () => expect(await read('noted')).toEqual(['knob 100px', 'up 130']));
  });

  test.skipIf(!binary)('who lets go unseen or leaves in a drag drops nothing and holds nothing', async () => {
    await enter();
    mouse('down', 40, 150, down);
    for (const x of [60, 120, 340]) mouse('move', x, 160, { buttons: 1 });
    await seen(async () => expect(await read('noted.join()')).toMatch(/^start,enter/));
    viewer.say({ type: 'release' });
    await seen(async () => expect(await read('noted.join()')).toMatch(/end none/));
    expect(await noted()).not.toContain('drop the thing');

    mouse('down', 30, 280, down);
    mouse('move', 90, 280, { buttons: 1 });
    viewer.close();
    await seen(async () => expect(await read('noted')).toEqual(['knob 60px', 'up 90']));
  });

  test.skipIf(!binary)('presses several buttons, and clicks two and three times', async () => {
    await enter();
    mouse('down', 520, 30, { button: 'right', buttons: 2, clicks: 1 });
    mouse('down', 520, 30, { button: 'left', buttons: 3, clicks: 1 });
    mouse('up', 520, 30, { button: 'left', buttons: 2, clicks: 1 });
    mouse('up', 520, 30, { button: 'right', buttons: 0, clicks: 1 });
    await seen(async () =>
      expect(await read("noted.filter((line) => line.startsWith('mouse'))")).toEqual([
        'mousedown 2 2',
        'mousedown 0 3',
        'mouseup 0 2',
        'mouseup 2 0',
      ]),
    );
    const selected = () => read('field.value.slice(field.selectionStart, field.selectionEnd)');
    for (const clicks of [1, 2]) {
      mouse('down', 560, 272, { ...down, clicks });
      mouse('up', 560, 272, { ...up, clicks });
    }
    await seen(async () => expect(String(await selected()).trim()).toBe('beta'));
    mouse('down', 560, 272, { ...down, clicks: 3 });
    mouse('up', 560, 272, { ...up, clicks: 3 });
    await seen(async () => expect(await selected()).toBe('alpha beta gamma'));
  });

  test.skipIf(!binary)('touches with one finger and with two', async () => {
    await enter();
    await read(`['touchstart', 'touchend', 'click'].forEach((type) =>
      buttons.addEventListener(type, (event) => note(type, event.touches?.length ?? '')))`);
    const [one, two] = [
      { x: 520, y: 40, id: 1 },
      { x: 620, y: 120, id: 2 },
    ];
    const touch = (kind: string, points: object[]) => viewer.say({ type: 'touch', kind, points });
    const fingers = () => read('noted.filter((line) => /touch|click/.test(line))');
    touch('start', [one]);
    touch('end', []);
    await seen(async () => expect(await fingers()).toEqual(['touchstart 1', 'touchend 0', 'click ']));
    await noted();
    touch('start', [one]);
    touch('start', [one, two]);
    touch('end', [two]);
    touch('end', []);
    await seen(async () =>
      expect(await fingers()).toEqual(['touchstart 1', 'touchstart 2', 'touchend 1', 'touchend 0']),
    );
  });
});
