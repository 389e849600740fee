import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { chromiumOf, filesIn, processesOf, profileOf } from '../support/leaks.ts';
import { liveCapability, type Viewer, watch } from '../support/live-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
/** For all that leave it usable; `show` gives it one tab with this page. */
let id: string;

const form = `<!doctype html><title>Form</title><style>body{margin:0}input{position:absolute;left:10px;top:10px;width:300px;height:40px}</style>
  <input id="name"><script>let moved = 0; onmousemove = () => moved++</script>`;
const hostile = `<!doctype html><title>&lt;img src=x onerror="document.documentElement.dataset.hacked=1"&gt;</title><p>hello`;

beforeAll(async () => {
  server = await startServer();
  site = await startSite({
    '/form': form,
    '/hostile': hostile,
    '/asks':
      '<!doctype html><title>asks</title><body onclick="document.title = confirm(\'Really?\')" style="height:700px">',
  });
  id = await open('/form');
});
afterAll(async () => {
  await site.close();
  await server[Symbol.asyncDispose]();
  expect(processesOf(server.scratchDir)).toEqual([]);
  expect(await filesIn(server.scratchDir)).toEqual([]);
});

const local = { policy: { privateAccess: { localhost: true } } };
const open = async (path: string): Promise<string> => {
  const startUrl = `${site.origin}${path}`;
  const { body } = await server.api.create({ ...local, dialogs: 'manual', startUrl });
  return body.id;
};
const run = (browserId: string, code: string) =>
  server.api.call('POST', `/v1/browsers/${browserId}/script/execute`, { body: { code } });
const show = async (path: string): Promise<void> => {
  const { body } = await run(
    id,
    `const [first, ...others] = context.pages(); for (const other of others) await other.close();
     await first.goto('${site.origin}${path}')`,
  );
  expect(body.error).toBeUndefined();
};
const person = async (browserId: string, mode: 'view' | 'control' = 'control'): Promise<Viewer> =>
  watch((await liveCapability(server.api, browserId, mode)).socketUrl);
/** Until it holds; what does not hold at the end is reported. */
const seen = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 20 });
const lastState = ({ told }: Viewer) => told.findLast(({ type }) => type === 'state');

describe('a viewer', () => {
  test('is shown the page and its tabs', async () => {
    await show('/form');
    const viewer = await person(id, 'view');
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const [frame] = viewer.frames;
    expect(frame?.header).toMatchObject({ width: 1280, height: 720 });
    expect(frame?.jpeg.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(viewer.told[0]).toEqual({ type: 'welcome', browserId: id, mode: 'view' });
    await seen(() =>
      expect(lastState(viewer)).toMatchObject({ tabs: [{ title: 'Form' }], viewers: 1, dialogs: [] }),
    );
    const shown = viewer.frames.length;
    await run(id, "await page.evaluate(() => { document.body.style.background = 'red' })");
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(shown));
  });

  test('is sent the last picture of a page that has just stopped moving', async () => {
    await show('/form');
    const viewer = await person(id, 'view');
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const wave = `for (let n = 0; n < 30; n++) { await new Promise(requestAnimationFrame);
      document.body.style.background = n < 29 ? 'rgb(' + n * 8 + ', 0, 0)' : 'rgb(0, 0, 255)' }`;
    await run(id, `await page.evaluate(async () => { ${wave} })`);
    const colourOfLast = async () => {
      const { jpeg } = viewer.frames.at(-1) ?? { jpeg: Buffer.alloc(0) };
      const source = JSON.stringify(`data:image/jpeg;base64,${jpeg.toString('base64')}`);
      const look = `const image = new Image(); image.src = ${source}; await image.decode();
        const canvas = new OffscreenCanvas(1, 1).getContext('2d'); canvas.drawImage(image, -600, -600);
        return [...canvas.getImageData(0, 0, 1, 1).data]`;
      return (await run(id, `return page.evaluate(async () => { ${look} })`)).body.result;
    };
    await seen(async () => {
      const [red, green, blue] = await colourOfLast();
      expect(red < 20 && green < 20 && blue > 230).toBe(true);
    });
  });

  test('that does not draw is sent no more pictures, while another is', async () => {
    await show('/form');
    const { socketUrl } = await liveCapability(server.api, id, 'view');
    const [slow, quick] = [await watch(socketUrl, { slow: true }), await watch(socketUrl)];
    const colour = '(n) => { document.body.style.background = "rgb(" + n * 10 + ",0,0)" }';
    // a busy Chromium draws fewer pictures than there are changes
    for (let n = 0; quick.frames.length <= 5; n++) await run(id, `await page.evaluate(${colour}, ${n % 25})`);
    expect(slow.frames.length).toBeLessThanOrEqual(2);
  });

  test('with an address for watching can do nothing', async () => {
    await show('/form');
    const viewer = await person(id, 'view');
    viewer.say({ type: 'visit', url: `${site.origin}/hostile` });
    viewer.say({ type: 'nonsense' });
    viewer.say({ type: 'paste', text: 'x'.repeat(1_000_000) });
    await seen(() =>
      expect(viewer.told.filter(({ type }) => type === 'refused')).toMatchObject([
        { what: 'visit' },
        { what: 'unknown' },
        { what: 'unknown', message: expect.stringContaining('for watching only') },
      ]),
    );
    expect((await run(id, 'return page.url()')).body.result).toBe(`${site.origin}/form`);
  });

  test('needs an address that is signed for this browser and this use', async () => {
    await show('/form');
    const { socketUrl } = await liveCapability(server.api, id, 'view');
    await expect(
      watch(
        socketUrl.replace(
          /(.)([\w-]{42})$/,
          (_: string, first: string, rest: string) => `${first === 'A' ? 'B' : 'A'}${rest}`,
        ),
      ),
    ).rejects.toThrow();
    await expect(watch(socketUrl.replace('/live?', '/cdp?'))).rejects.toThrow();
  });
});

describe('a person', () => {
  test('types into a form, and follows links by the address bar, back and forward', async () => {
    await show('/form');
    const viewer = await person(id);
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const at = { x: 60, y: 30, button: 'left', clicks: 1 };
    viewer.say({ type: 'mouse', kind: 'move', x: 60, y: 30 });
    viewer.say({ type: 'mouse', kind: 'down', ...at, buttons: 1 });
    viewer.say({ type: 'mouse', kind: 'up', ...at });
    for (const key of ['H', 'i']) {
      const stroke = {
        type: 'key',
        key,
        code: `Key${key.toUpperCase()}`,
        keyCode: key.toUpperCase().charCodeAt(0),
      };
      viewer.say({ ...stroke, kind: 'down', modifiers: key === 'H' ? 8 : 0 });
      viewer.say({ ...stroke, kind: 'up' });
    }
    viewer.say({ type: 'text', text: ' 世界' });
    const value = async () => (await run(id, "return page.inputValue('#name')")).body.result;
    await seen(async () => expect(await value()).toBe('Hi 世界'));
    viewer.say({ type: 'visit', url: `${site.origin}/hostile` });
    await seen(() => expect(lastState(viewer)?.tabs[0].url).toBe(`${site.origin}/hostile`));
    viewer.say({ type: 'go', to: 'back' });
    await seen(() => expect(lastState(viewer)?.tabs[0].url).toBe(`${site.origin}/form`));
    viewer.say({ type: 'visit', url: 'file:///etc/passwd' });
    await seen(() => expect(viewer.told.at(-1)).toMatchObject({ type: 'refused', what: 'visit' }));
  });

  test('opens, changes and closes tabs, and answers dialogs', async () => {
    await show('/form');
    const viewer = await person(id);
    viewer.say({ type: 'open' });
    await seen(() => expect(lastState(viewer)?.tabs).toHaveLength(2));
    const [first, second] = lastState(viewer).tabs;
    expect(lastState(viewer).activeTabId).toBe(second.tabId);
    viewer.say({ type: 'activate', tabId: first.tabId });
    await seen(() => expect(viewer.frames.at(-1)?.header.tabId).toBe(first.tabId));
    viewer.say({ type: 'close', tabId: second.tabId });
    await seen(() => expect(lastState(viewer)?.tabs).toHaveLength(1));
    const asked = run(id, "return page.evaluate(() => confirm('Sure?'))");
    await seen(() => expect(lastState(viewer)?.dialogs).toMatchObject([{ message: 'Sure?' }]));
    viewer.say({ type: 'dialog', dialogId: lastState(viewer).dialogs[0].id, action: 'accept' });
    expect((await asked).body.result).toBe(true);
  });

  test('answers the dialog that an own click opened, is not held up by a page that does not answer, and is told when the browser is closed', async () => {
    const own = await open('/asks');
    const viewer = await person(own);
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const at = { x: 60, y: 30, button: 'left', clicks: 1 };
    viewer.say({ type: 'mouse', kind: 'down', ...at, buttons: 1 });
    viewer.say({ type: 'mouse', kind: 'up', ...at });
    await seen(() => expect(lastState(viewer)?.dialogs).toMatchObject([{ message: 'Really?' }]));
    viewer.say({ type: 'dialog', dialogId: lastState(viewer).dialogs[0].id, action: 'accept' });
    const title = async () => (await run(own, 'return page.title()')).body.result;
    await seen(async () => expect(await title()).toBe('true'));
    await run(own, "setTimeout(() => page.evaluate('for (;;);').catch(() => 0), 0)").catch(() => undefined);
    viewer.say({ type: 'open' });
    await seen(() => expect(lastState(viewer)?.tabs).toHaveLength(2));
    await seen(() => expect(viewer.frames.at(-1)?.header.tabId).toBe(lastState(viewer).activeTabId));
    await server.api.remove(own);
    expect(await viewer.closed).toMatchObject({ code: 4001 });
  });

  test('pastes a long text, and is refused more of it than a page that does not answer takes', async () => {
    const own = await open('/form');
    const viewer = await person(own);
    await seen(() => expect(viewer.frames.length).toBeGreaterThan(0));
    const at = { x: 60, y: 30, button: 'left', clicks: 1 };
    viewer.say({ type: 'mouse', kind: 'down', ...at, buttons: 1 });
    viewer.say({ type: 'mouse', kind: 'up', ...at });
    viewer.say({ type: 'paste', text: '世界'.repeat(50_000) });
    viewer.say({ type: 'text', text: '!' });
    const pasted = async () => (await run(own, "return (await page.inputValue('#name')).slice(99_998)")).body;
    await seen(async () => expect((await pasted()).result).toBe('世界!'));
    const asked = run(own, "return page.evaluate(() => confirm('Sure?'))");
    await seen(() => expect(lastState(viewer)?.dialogs).toMatchObject([{ message: 'Sure?' }]));
    const text = 'x'.repeat(1_000_000);
    for (let n = 0; n < 12; n++) viewer.say({ type: 'paste', text });
    const message = 'Too much waits for the page already.';
    await seen(() => expect(viewer.told).toContainEqual({ type: 'refused', what: 'unknown', message }));
    await server.api.remove(own);
    await asked;
  });

  test('holds the browser while scripts wait, and hands it back', async () => {
    await show('/form');
    const [newest] = (await server.api.call('GET', `/v1/browsers/${id}/events?limit=1`)).body.items;
    const asked = await server.api.call('POST', `/v1/browsers/${id}/handoff`, {
      body: { message: 'Please sign in.' },
    });
    expect(asked).toMatchObject({ status: 201, body: { state: 'requested', message: 'Please sign in.' } });
    expect(asked.body.url).toContain(`/live/${id}#bdc_`);
    const viewer = await person(id);
    viewer.say({ type: 'control', action: 'take' });
    await seen(() => expect(lastState(viewer)?.handoff.state).toBe('person'));
    let ran = false;
    const script = run(id, 'return 1').then((answer) => {
      ran = true;
      return answer;
    });
    const status = await server.api.call('GET', `/v1/browsers/${id}/handoff`);
    expect(status.body.ended).toBeUndefined();
    expect(status.body).toMatchObject({ state: 'person', message: 'Please sign in.' });
    await server.api.call('GET', `/v1/browsers/${id}/status`);
    expect(ran).toBe(false);
    viewer.say({ type: 'control', action: 'return' });
    expect((await script).body.result).toBe(1);
    viewer.say({ type: 'control', action: 'take' });
    await seen(() => expect(lastState(viewer)?.handoff.state).toBe('person'));
    const waiting = run(id, 'return 2');
    const returned = await server.api.call('GET', `/v1/browsers/${id}/handoff`);
    expect(returned.body).toMatchObject({ state: 'person', ended: 'returned' });
    const withdrawn = await server.api.call('DELETE', `/v1/browsers/${id}/handoff`);
    expect(withdrawn.body).toMatchObject({ state: 'scripts', ended: 'withdrawn' });
    expect((await waiting).body.result).toBe(2);
    const events = async () => {
      const { body } = await server.api.call(
        'GET',
        `/v1/browsers/${id}/events?type=browser.handoff&order=asc&lastEventId=${newest.seq}`,
      );
      return body.items.map(({ data }: { data: { state: string } }) => data.state);
    };
    await seen(async () =>
      expect(await events()).toEqual(['requested', 'person', 'scripts', 'person', 'scripts']),
    );
  });
});

test('a live address works again after a crash, which a request for a person outlasts, and says when the browser is stopped', async () => {
  const own = await open('/form');
  const { socketUrl } = await liveCapability(server.api, own, 'view');
  const viewer = await watch(socketUrl);
  const request = { body: { message: 'Please look.' } };
  const asked = await server.api.call('POST', `/v1/browsers/${own}/handoff`, request);
  for (const pid of chromiumOf(profileOf(server.scratchDir, own))) process.kill(pid, 'SIGKILL');
  expect(await viewer.closed).toMatchObject({ code: 4002 });
  await eventually(
    () => server.api.get(own),
    ({ body }) => body.status === 'ready' && body.epoch === 2,
  );
  const { state, message, since } = asked.body;
  const kept = await server.api.call('GET', `/v1/browsers/${own}/handoff`);
  expect(kept.body).toEqual({ state, message, since });
  const again = await watch(socketUrl);
  await seen(() => expect(again.frames.length).toBeGreaterThan(0));
  await server.api.call('POST', `/v1/browsers/${own}/stop`);
  expect(await again.closed).toMatchObject({ code: 4000 });
  await server.api.remove(own);
});

test('the page of a live address works in a web browser, and nothing of the watched page runs there', async () => {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  const web = await chromium.launch({ executablePath: (found.shell ?? found.full)?.path });
  onTestFinished(() => web.close());
  await show('/hostile');
  const { url } = await liveCapability(server.api, id, 'control');
  const page = await web.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (line) => line.type() === 'error' && troubles.push(line.text()));
  await page.goto(url);
  await page
    .getByRole('button', { name: /<img src=x/ })
    .first()
    .waitFor();
  expect(await page.evaluate('document.documentElement.dataset.hacked')).toBeUndefined();
  await page.getByLabel('Address').fill(`${site.origin}/form`);
  await page.getByLabel('Address').press('Enter');
  await page.getByRole('button', { name: 'Form' }).first().waitFor();
  await page.getByRole('button', { name: 'Take over' }).click();
  await page.getByRole('button', { name: 'Hand back' }).waitFor();
  const box = await page.locator('#screen').boundingBox();
  const scale = (box?.width ?? 0) / 1280;
  await page.mouse.click((box?.x ?? 0) + 60 * scale, (box?.y ?? 0) + 30 * scale);
  await page.keyboard.type('Typed by hand');
  await page.getByRole('button', { name: 'Hand back' }).click();
  await page.getByRole('button', { name: 'Take over' }).waitFor();
  const value = async () => (await run(id, "return page.inputValue('#name')")).body.result;
  await seen(async () => expect(await value()).toBe('Typed by hand'));
  expect(troubles).toEqual([]);
  const late = await web.newPage();
  await late.goto(url.replace(/#.*/, '#expired'));
  await late.getByText('has expired or is no longer valid').waitFor();
  await late.goto(url);
  await late.getByRole('button', { name: 'Form' }).first().waitFor();
});
