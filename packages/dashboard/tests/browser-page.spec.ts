import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { signIn, startUser, type User } from './dashboard-client.ts';

let user: User;
let page: Page;
let site: Site;
let id: string;

const form = `<!doctype html><title>Order</title><style>body{margin:0;background:blue}
  input{position:absolute;left:40px;top:40px;width:400px;height:60px;font-size:30px}</style><input id="name">`;
const green = '<!doctype html><title>Thanks</title><body style="background:lime">';
const hostile = `<!doctype html><title>&lt;img src=x onerror="parent.document.documentElement.dataset.hacked=1"&gt;</title>
  <script>console.error('<img src=x onerror="document.documentElement.dataset.hacked=1">')</script><img src="http://10.9.8.7/x">`;

beforeAll(async () => {
  site = await startSite({ '/form': form, '/thanks': green, '/hostile': hostile });
  user = await startUser({ BROWSERD_PRIVATE_ACCESS: 'localhost, 10.0.0.0/8' });
  page = user.page;
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await site.close();
});

const run = (code: string) =>
  user.server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });
const seen = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 50 });
const live = (): FrameLocator => page.frameLocator('iframe[title="Live view of the browser"]');
/** The colour at a corner of the picture, as the user sees it. */
const colourOf = (picture: Locator): Promise<string> =>
  picture.evaluate((element: HTMLCanvasElement | HTMLVideoElement) => {
    const brush = new OffscreenCanvas(1, 1).getContext('2d');
    brush?.drawImage(element, 5, 5, 1, 1, 0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = brush?.getImageData(0, 0, 1, 1).data ?? [];
    return [red, green, blue].map((part) => (part > 127 ? 1 : 0)).join('');
  });
const view = (name: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click();

describe('a person at the dashboard', () => {
  test('creates a browser and watches a script move its page', async () => {
    await signIn(user);
    await page.getByRole('button', { name: 'New browser' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Story');
    await dialog.getByLabel('Start URL').fill(`${site.origin}/form`);
    await dialog.getByLabel('Record a video').check();
    await dialog.getByText('Network policy').click();
    await dialog.getByLabel('Allow localhost').check();
    await dialog.getByRole('button', { name: 'Create browser' }).click();
    await page.waitForURL(/\/app\/browsers\/browser_\w+/);
    id = /browser_\w+/.exec(page.url())?.[0] ?? '';
    await page.getByRole('heading', { name: 'Story' }).waitFor();
    const canvas = live().locator('#screen');
    await seen(async () => expect(await colourOf(canvas)).toBe('001'));
    // long enough to be in the recording
    const moved = run(`await page.goto('${site.origin}/thanks'); await sleep(2000)`);
    await seen(async () => expect(await colourOf(canvas)).toBe('010'));
    await moved;
    await page.getByRole('button', { name: /Went to.*thanks/ }).waitFor();
  });

  test('plays the recording, and a click on an event goes to its moment', async () => {
    await view('Replay');
    await page.getByRole('button', { name: 'Stop recording' }).click();
    const video = page.locator('video');
    await video.waitFor();
    // streamed, not fetched whole
    expect(await video.getAttribute('src')).toMatch(/\/content\?token=bdc_/);
    const {
      items: [recording],
    } = (await user.server.api.call('GET', `/v1/browsers/${id}/recordings`)).body;
    const events = await user.server.api.call(
      'GET',
      `/v1/browsers/${id}/events?type=tab.navigated&limit=100`,
    );
    const went = events.body.items.find(({ data }: { data: { url: string } }) =>
      data.url.endsWith('/thanks'),
    );
    const offset = (Date.parse(went.at) - Date.parse(recording.startedAt)) / 1000;
    await page.getByRole('button', { name: /Went to.*thanks/ }).click();
    const at = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
    await seen(async () => expect(Math.abs((await at()) - offset)).toBeLessThan(1));
    await page.locator('li.timeline-line.current', { hasText: '/thanks' }).waitFor();
    await video.press(' ');
    await seen(async () => expect(await colourOf(video)).toBe('010'));
    await video.press(' ');
    await video.press('Home');
    await seen(async () => expect(await at()).toBe(0));
    // a second click only closes the line
    await page.getByRole('button', { name: /Went to.*thanks/ }).click();
    expect(await at()).toBe(0);
  });

  test('is asked for help, takes over, types into the form and hands back', async () => {
    await view('Live');
    await run(`await page.goto('${site.origin}/form')`);
    await user.server.api.call('POST', `/v1/browsers/${id}/handoff`, {
      body: { message: 'Fill in <b>your</b> name.' },
    });
    const bar = page.getByRole('region', { name: 'Live view' });
    await bar.getByText('Fill in <b>your</b> name.').first().waitFor();
    await live().getByRole('button', { name: 'Take over' }).click();
    await bar.getByText('A person is in control. Scripts are paused.').waitFor();
    let ended = false;
    const waiting = run(`return page.inputValue('#name')`).finally(() => {
      ended = true;
    });
    const canvas = live().locator('#screen');
    await seen(async () => expect(await colourOf(canvas)).toBe('001'));
    const box = await canvas.boundingBox();
    if (!box) throw new Error('the picture has no place on the page');
    const scale = box.width / 1280;
    await page.mouse.click(box.x + 100 * scale, box.y + 70 * scale);
    await page.keyboard.type('Ada');
    expect(ended).toBe(false);
    await live().getByRole('button', { name: 'Hand back' }).click();
    expect((await waiting).body.result).toBe('Ada');
    await bar.getByText('Scripts are in control.').waitFor();
  });

  test('watches only while looking: a hidden tab or another view ends the connection', async () => {
    const viewers = () => page.frames().filter((frame) => frame.url().includes('/live/'));
    const look = (how: 'hidden' | 'visible') =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, how);
    expect(viewers()).toHaveLength(1);
    await look('hidden');
    await seen(() => expect(viewers()).toHaveLength(0));
    await look('visible');
    await seen(() => expect(viewers()).toHaveLength(1));
    await view('Files');
    await seen(() => expect(viewers()).toHaveLength(0));
  });

  test('puts a file into the browser, gets it out and deletes it', async () => {
    await view('Files');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    const name = '<img src=x onerror=alert(1)>.txt';
    await (await chooser).setFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('hello'),
    });
    await page.getByRole('cell', { name: 'notes.txt', exact: true }).waitFor();
    await run(`await files.write(${JSON.stringify(name)}, 'x')`);
    // its line pushes the others down: a click in that moment would fall between two
    await seen(async () => expect(await page.getByRole('button', { name: /^Save / }).count()).toBe(2));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save notes.txt' }).click();
    const stream = await (await saved).createReadStream();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe('hello');
    await page.getByRole('button', { name: 'Delete notes.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await seen(async () =>
      expect(await page.getByRole('cell', { name: 'notes.txt', exact: true }).count()).toBe(0),
    );
  });

  test('is not harmed by a page with hostile words, and allows what it asked for only after a question', async () => {
    await run(`await page.goto('${site.origin}/hostile')`);
    await view('Console');
    await page.getByText('<img src=x onerror="document').waitFor();
    await view('State');
    await page.getByText('<img src=x onerror="parent.').waitFor();
    await view('Network');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('button', { name: 'Allow host' }).click();
    await seen(async () =>
      expect((await user.server.api.get(id)).body.policy.privateAccess).toEqual({
        localhost: true,
        cidrs: ['10.9.8.7/32'],
      }),
    );
    expect(await page.evaluate(() => document.documentElement.dataset.hacked)).toBeUndefined();
    await view('Policy');
    const policy = page.getByRole('textbox');
    await policy.fill('{"allowedDomains": ["not a host"]}');
    await page.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('policy.allowedDomains.0').first().waitFor();
  });

  test('opens tabs, brings one to the front, loads it again and closes it', async () => {
    const tabsNow = async () => (await user.server.api.call('GET', `/v1/browsers/${id}/tabs`)).body.items;
    const [first] = await tabsNow();
    await view('State');
    const rows = page.getByRole('region', { name: 'Tabs' }).getByRole('listitem');
    await page.getByRole('button', { name: 'New tab' }).click();
    await seen(async () => expect(await rows.count()).toBe(2));
    await seen(async () => expect(await rows.last().textContent()).toContain('active'));
    await rows
      .first()
      .getByRole('button', { name: /^Bring / })
      .click();
    await seen(async () => expect(await rows.first().textContent()).toContain('active'));
    await rows
      .last()
      .getByRole('button', { name: /^Reload / })
      .click();
    await rows
      .last()
      .getByRole('button', { name: /^Close / })
      .click();
    await seen(async () => expect(await rows.count()).toBe(1));
    expect(await tabsNow()).toMatchObject([{ tabId: first.tabId, active: true }]);
  });
});

describe('the playgrounds', () => {
  const code = () => page.getByRole('textbox', { name: 'Code' });
  const outcome = () => page.getByRole('region', { name: 'Outcome' });

  test('run code and show its result, logs and references, or its error and what to do', async () => {
    await page.goto(`${user.server.api.url}/app/script?browser=${id}`);
    await code().fill(
      `console.log('at', page.url());\nawait page.goto('${site.origin}/form');\nreturn { sum: args.a + 1 };`,
    );
    await page.getByRole('textbox', { name: 'Arguments' }).fill('{"a": 41}');
    await code().press('ControlOrMeta+Enter');
    await outcome().getByText('"sum": 42').waitFor();
    await outcome().getByText(`at ${site.origin}/hostile`).waitFor();
    await code().fill('await ');
    await outcome().locator('button.ref').last().click();
    await seen(async () =>
      expect(await code().inputValue()).toMatch(/^await page\.locator\('aria-ref=\w+'\)$/),
    );
    await code().fill('\nnull.boom;');
    await page.getByRole('button', { name: 'Run' }).click();
    await outcome().getByText('SCRIPT_FAILED').first().waitFor();
    expect(await outcome().locator('.outcome-stack').textContent()).toMatch(/script:2/);
  });

  test('let the keyboard out of the editor', async () => {
    await code().fill('a');
    await code().press('Tab');
    expect(await code().inputValue()).toBe('a  ');
    await code().press('Escape');
    await code().press('Tab');
    expect(await code().evaluate((element) => element === document.activeElement)).toBe(false);
  });

  test('leave no browser behind that was given up while it was started', async () => {
    const asked = Promise.withResolvers<string>();
    const givenUp = Promise.withResolvers<void>();
    await page.route('**/v1/browsers', async (route) => {
      const response = await route.fetch();
      asked.resolve((await response.json()).id);
      await givenUp.promise;
      await route.fulfill({ response });
    });
    await page.getByLabel('Run in').selectOption('new');
    await page.getByRole('button', { name: 'Run' }).click();
    const started = await asked.promise;
    await page.getByRole('button', { name: 'Cancel' }).click();
    await outcome().getByText('You cancelled the run').waitFor();
    givenUp.resolve();
    await seen(async () => expect((await user.server.api.get(started)).body.status).toBe('closed'));
    await page.unrouteAll();
  });

  test('show what quick actions make of a page', async () => {
    await page.goto(`${user.server.api.url}/app/quick`);
    await page.getByLabel('Page', { exact: true }).selectOption('html');
    await page
      .getByLabel('HTML')
      .fill('<h1>Hello</h1><p>to the <b>world</b></p><img src=x onerror=alert(1)>');
    const action = page.getByRole('form', { name: 'Quick action' });
    const preview = page.getByRole('region', { name: 'Preview' });
    await action.locator('[type=submit]').click();
    await preview.getByText('# Hello').waitFor();
    expect(await preview.locator('b').count()).toBe(0);
    await action.getByRole('button', { name: 'Screenshot' }).first().click();
    await action.locator('[type=submit]').click();
    const picture = preview.locator('img');
    await seen(async () =>
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1280),
    );
    await action.getByRole('button', { name: 'PDF' }).first().click();
    await action.locator('[type=submit]').click();
    await preview.getByText('1 page').waitFor();
    const saved = page.waitForEvent('download');
    await preview.getByRole('button', { name: 'Save page.pdf' }).click();
    expect((await saved).suggestedFilename()).toBe('page.pdf');
  });

  test('give their call to copy, also where a page has no clipboard or may not copy at all', async () => {
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const html = page.getByLabel('HTML');
    await html.fill('');
    await html.press('ControlOrMeta+V');
    expect(await html.inputValue()).toMatch(/^curl .*\n/);
    await page.evaluate(() => {
      document.execCommand = () => false;
    });
    await page.getByRole('button', { name: 'Copy for the SDK' }).click();
    expect(await page.getByRole('dialog').getByLabel('Text').inputValue()).toContain('await client.pdf(');
  });
});

test('a stopped browser says so and can be resumed, its events come as soon as they can be had, and nothing of all this broke the content policy', async () => {
  await user.server.api.stop(id);
  // more often than the SDK tries
  await page.route('**/events?*', (route) => route.abort(), { times: 3 });
  await page.goto(`${user.server.api.url}/app/browsers/${id}?view=live`);
  await page.getByText('Nothing to watch').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await live().locator('#screen').waitFor();
  await page.getByRole('button', { name: /Went to.*thanks/ }).waitFor();
  await page.goto('about:blank');
  expect((await user.server.api.remove(id)).status).toBe(200);
  expect(user.troubles).toEqual([]);
});
