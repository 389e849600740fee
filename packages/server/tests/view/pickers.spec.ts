import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines } from '../../src/chromium/pipe/mux.fixture.ts';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { click, isRefused, opens, press, seen } from '../support/live-hand.ts';
import { corners, pickerPages } from '../support/picker-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  const pages: Record<string, string> = {};
  site = await startSite(pages);
  Object.assign(pages, pickerPages(site.port));
});
afterAll(async () => {
  await site.close();
  await server[Symbol.asyncDispose]();
});

const alt = 1;
const policy = { privateAccess: { localhost: true } };
const middle = (name: keyof typeof corners): [number, number] => [
  corners[name][0] + 100,
  corners[name][1] + 15,
];
/** Where the sign of a date field is that opens its calendar. */
const sign = (name: keyof typeof corners): [number, number] => [
  corners[name][0] + 188,
  corners[name][1] + 15,
];

describe.each(engines)('what is drawn outside the page, in the engine %s:', (engine) => {
  let id: string;
  let viewer: Viewer;
  const run = async (code: string) => {
    const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code, timeoutMs: 120_000 },
    });
    expect(body.error).toBeUndefined();
    return body.result;
  };
  const noted = (): Promise<string[]> => run('return page.evaluate(() => noted.splice(0))');
  const textIn = (name: string): Promise<string> => run(`return page.inputValue('#${name}')`);
  const pick = (pickerId: string, what: object = {}): void => viewer.say({ type: 'pick', pickerId, ...what });
  const clickOn = (name: keyof typeof corners) => () => click(viewer, ...middle(name));

  beforeAll(async () => {
    const made = await server.api.create({ policy, engine, startUrl: `${site.origin}/controls` });
    id = made.body.id;
  });
  afterAll(() => server.api.remove(id));
  beforeEach(async () => {
    viewer = await watch((await liveCapability(server.api, id, 'control')).socketUrl);
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    // a person who has begun before the page came is heard before the page
    viewer.say({ type: 'mouse', kind: 'move', x: 900, y: 600 });
    await run(`await page.goto('${site.origin}/controls')`);
  });

  test('the list of a select comes to the person at its place, and the page can trust the events of the choice', async () => {
    const picker = await opens(viewer, clickOn('fruit'));
    const [x, y] = corners.fruit;
    expect(picker).toMatchObject({ kind: 'select', label: 'Fruit', value: 'a', multiple: false });
    expect(picker.box).toEqual({ x, y, width: 200, height: 30 });
    expect(picker.groups).toEqual(['Sour', 'Gone']);
    expect(picker.options).toEqual([
      { index: 0, text: 'Apple', selected: true },
      { index: 1, text: 'Banana', disabled: true },
      { index: 2, text: 'Cherry', group: 0 },
      { index: 3, text: 'Lemon', group: 0 },
      { index: 4, text: 'Plum', disabled: true, group: 1 },
    ]);
    pick(picker.id, { options: [3] });
    await seen(async () => expect(await textIn('fruit')).toBe('l'));
    // neither the key that closed Chromium's own list nor the one that chose was the page's
    expect(await noted()).toEqual(['fruit input true', 'fruit change true']);

    const again = await opens(viewer, clickOn('fruit'));
    await isRefused(viewer, () => pick(again.id, { options: [1] }));
    const last = await opens(viewer, clickOn('fruit'));
    pick(last.id);
    await isRefused(viewer, () => pick(last.id, { options: [0] }));
    expect(await textIn('fruit')).toBe('l');
    expect(await noted()).toEqual([]);
  });

  test('keys open a list as well, and a long one is cut', async () => {
    await run("await page.focus('#fruit')");
    const byArrow = await opens(viewer, () => press(viewer, 'ArrowDown', alt));
    expect(byArrow.label).toBe('Fruit');
    pick(byArrow.id, { options: [2] });
    await seen(async () => expect(await textIn('fruit')).toBe('c'));
    await run("await page.evaluate(() => fillMany()); await page.focus('#many')");
    const bySpace = await opens(viewer, () => press(viewer, ' '));
    expect(bySpace.options).toHaveLength(5000);
    expect(bySpace.cut).toBe(true);
    pick(bySpace.id, { options: [4999] });
    await seen(async () => expect(await textIn('many')).toBe('v4999'));
  });

  test('several options are chosen at once', async () => {
    await run("await page.focus('#several')");
    const picker = await opens(viewer, () => press(viewer, 'ArrowDown', alt));
    expect(picker).toMatchObject({
      multiple: true,
      options: [{}, { selected: true }, {}, { disabled: true }],
    });
    pick(picker.id, { options: [0, 2, 3] });
    const chosen = () =>
      run("return page.$eval('#several', (it) => [...it.selectedOptions].map((o) => o.text))");
    await seen(async () => expect(await chosen()).toEqual(['red', 'blue']));
    expect((await noted()).filter((line) => line.startsWith('several'))).toEqual([
      'several input false',
      'several change false',
    ]);
  });

  test('dates, times and colours are set in the form that the page expects', async () => {
    const date = await opens(viewer, () => click(viewer, ...sign('date')));
    expect(date).toMatchObject({ kind: 'date', value: '2026-02-03', min: '2026-01-01', max: '2026-12-31' });
    pick(date.id, { value: '2026-07-14' });
    await seen(async () => expect(await textIn('date')).toBe('2026-07-14'));
    // a field that the page opens itself
    const time = await opens(viewer, clickOn('asks'));
    expect(time).toMatchObject({ kind: 'time', box: { x: corners.time[0], y: corners.time[1] } });
    await isRefused(viewer, () => pick(time.id, { value: 'noon' }));
    pick((await opens(viewer, clickOn('asks'))).id, { value: '12:30' });
    await seen(async () => expect(await textIn('time')).toBe('12:30'));
    const colour = await opens(viewer, clickOn('color'));
    expect(colour).toMatchObject({ kind: 'color', value: '#102030' });
    pick(colour.id, { value: '#ff8800' });
    await seen(async () => expect(await textIn('color')).toBe('#ff8800'));
    const lines = await noted();
    for (const name of ['date', 'time', 'color'])
      for (const event of ['input', 'change']) expect(lines).toContain(`${name} ${event} false`);
  });

  test('suggestions follow what is typed', async () => {
    const all = await opens(viewer, clickOn('city'));
    expect(all.options.map(({ text }: { text: string }) => text)).toEqual(['Oslo', 'Osaka', 'Rome']);
    const some = await opens(viewer, () => viewer.say({ type: 'text', text: 'Os' }));
    expect(some.options.map(({ text }: { text: string }) => text)).toEqual(['Oslo', 'Osaka']);
    pick(some.id, { options: [1] });
    await seen(async () => expect(await textIn('city')).toBe('Osaka'));
    expect(await noted()).toContain('city input true');
  });

  test('frames of this and of other processes, and shadow trees, are part of the page', async () => {
    const inShadow = await opens(viewer, clickOn('shady'));
    expect(inShadow.box).toMatchObject({ x: corners.shady[0], y: corners.shady[1] });
    pick(inShadow.id, { options: [1] });
    await seen(async () => expect(await noted()).toContain('within input true'));
    const inClosed = await opens(viewer, clickOn('closed'));
    expect(inClosed.options).toMatchObject([{ text: 'open' }, { text: 'shut' }]);
    expect(inClosed.box).toMatchObject({ x: corners.closed[0], y: corners.closed[1] });
    pick(inClosed.id, { options: [1] });
    await seen(async () => expect(await noted()).toContain(' input true'));
    for (const name of ['near', 'far'] as const) {
      const [x, y] = corners[name];
      const picker = await opens(viewer, () => click(viewer, x + 5 + 20 + 50, y + 5 + 10 + 15));
      expect(picker.box).toEqual({ x: x + 25, y: y + 15, width: 200, height: 30 });
      pick(picker.id, { options: [2] });
      await seen(async () => expect(await noted()).toContain('frame three'));
    }
  });

  test('a list is closed when its page goes, and a viewer that only watches is sent none', async () => {
    const guest = await watch((await liveCapability(server.api, id, 'view')).socketUrl);
    await seen(() => expect(guest.frames.length).toBeGreaterThan(0));
    const picker = await opens(viewer, clickOn('fruit'));
    const before = guest.frames.length;
    await isRefused(guest, () => guest.say({ type: 'pick', pickerId: picker.id, options: [2] }));
    expect(await textIn('fruit')).toBe('a');
    pick(picker.id, { options: [2] });
    await seen(async () => expect(await textIn('fruit')).toBe('c'));
    await seen(() => expect(guest.frames.length).toBeGreaterThan(before));
    const other = await opens(viewer, clickOn('many'));
    await run(`await page.goto('${site.origin}/')`);
    await seen(() => expect(viewer.told).toContainEqual({ type: 'pickerClosed', pickerId: other.id }));
    expect(guest.told.filter(({ type }) => type.startsWith('picker'))).toEqual([]);
  });

  describe('files', () => {
    const upload = async (mode: 'view' | 'control', name: string, content: string) => {
      const { url } = await liveCapability(server.api, id, mode);
      const token = url.split('#')[1];
      const query = `?name=${encodeURIComponent(name)}&token=${token}`;
      const response = await fetch(`${server.api.url}/v1/browsers/${id}/files${query}`, {
        method: 'POST',
        body: content,
        headers: { 'content-type': 'text/plain' },
      });
      return { status: response.status, body: (await response.json()) as { id: string } };
    };
    const contents = (name: string) =>
      run(
        `return page.$eval('#${name}', async (it) => Promise.all([...it.files].map(async (f) => f.name + ': ' + await f.text())))`,
      );

    test('are picked by the person, or none is', async () => {
      const one = await opens(viewer, clickOn('file'));
      expect(one).toMatchObject({ kind: 'file', accept: '.txt,image/*', multiple: false });
      expect(one.box).toMatchObject({ x: corners.file[0], y: corners.file[1] });
      expect((await upload('view', 'no.txt', 'no')).status).toBe(403);
      const { body: hello } = await upload('control', 'hello.txt', 'Hello');
      pick(one.id, { files: [hello.id] });
      await seen(async () => expect(await contents('file')).toEqual(['hello.txt: Hello']));
      expect(await noted()).toContain('file change true');

      const two = await opens(viewer, clickOn('files'));
      expect(two.multiple).toBe(true);
      const { body: more } = await upload('control', 'more.txt', 'More');
      pick(two.id, { files: [hello.id, more.id] });
      await seen(async () => expect(await contents('files')).toEqual(['hello.txt: Hello', 'more.txt: More']));
      const none = await opens(viewer, clickOn('file'));
      pick(none.id);
      await seen(async () => expect(await noted()).toContain('file cancel false'));
      const wrong = await opens(viewer, clickOn('file'));
      await isRefused(viewer, () => pick(wrong.id, { files: ['file_00000000000000000000000000'] }));
      expect(await contents('file')).toEqual(['hello.txt: Hello']);
    });

    test('are left to a program that waits for the same choice', async () => {
      const body = { kind: 'cdp' };
      const { url } = (await server.api.call('POST', `/v1/browsers/${id}/capabilities`, { body })).body;
      const client = await chromium.connectOverCDP(url);
      const [page] = client.contexts()[0]?.pages() ?? [];
      const chosen = page?.waitForEvent('filechooser');
      // the event is asked for by the time that the page answers
      await page?.evaluate(() => 1);
      click(viewer, ...middle('file'));
      expect((await chosen)?.isMultiple()).toBe(false);
      expect(viewer.told.filter(({ type }) => type === 'picker')).toEqual([]);
      await client.close();
      await opens(viewer, clickOn('file'));
    });
  });
});
