import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type RequestsSite, startRequestsSite } from '../../server/tests/support/requests-site.ts';
import { startServer } from '../../server/tests/support/server.ts';
import { newWindow, signIn, startUser, type User } from './dashboard-client.ts';

/** The log of requests as a person reads it: real requests of a real Chromium, and hostile words in all of them. */
let user: User;
let site: RequestsSite;
let page: Page;
let id: string;

beforeAll(async () => {
  site = await startRequestsSite();
  user = await startUser();
  page = user.page;
  const rules = [
    { match: { host: 'ads.example' }, do: { action: 'block' } },
    { match: { url: '*/second' }, do: { action: 'delay', ms: 50 } },
  ];
  const { body } = await user.server.api.create({ policy: { privateAccess: { localhost: true }, rules } });
  id = body.id;
  await visit('/shop', 'done');
  await visit('/shop', 'done');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(user);
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const run = async (code: string, args: object = {}): Promise<void> => {
  const { body } = await user.server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
    body: { code, args, timeoutMs: 110_000 },
  });
  expect(body.success, JSON.stringify(body)).toBe(true);
};
const visit = (path: string, title: string): Promise<void> =>
  run(
    `await page.goto(args.url); await page.waitForFunction((title) => document.title === title, args.title, { timeout: 100000 })`,
    { url: site.origin + path, title },
  );
const fetchInPage = (path: string): Promise<void> =>
  run(`await page.evaluate((url) => fetch(url).then((answer) => answer.text()), args.url)`, {
    url: site.origin + path,
  });
const seen = (check: () => void | Promise<void>) => vi.waitFor(check, { timeout: 90_000, interval: 50 });
const open = async (query = '', window = page): Promise<void> => {
  await window.goto(`${user.server.api.url}/app/browsers/${id}?view=network${query}`);
  await panel(window).waitFor();
};
const panel = (window = page): Locator => window.getByRole('region', { name: 'Requests', exact: true });
const table = (window = page): Locator => window.getByRole('table', { name: 'Requests', exact: true });
const detail = (): Locator => page.getByRole('region', { name: 'Request', exact: true });
const rows = (name: string): Locator =>
  table()
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `${name} ` }) });
const cells = (name: string): Promise<string[]> => rows(name).last().getByRole('cell').allTextContents();
const openRow = async (name: string): Promise<void> => {
  await rows(name).last().getByRole('button').click();
  await detail().getByRole('heading', { name }).waitFor();
};
const fact = (label: string): Locator =>
  detail()
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd');
const names = (): Promise<string[]> => table().locator('.requests-name bdi:first-child').allTextContents();

describe('the table of requests', () => {
  test('says of each how it went, newest at the bottom, and goes on by itself', async () => {
    await open();
    await rows('second').last().waitFor();
    const [method, , status, type, size, time] = await cells('missing');
    expect([method, status, type]).toEqual(['GET', '404', 'fetch']);
    expect([size, time].join(' ')).toMatch(/^\d+ B [\d.]+ m?s$/);
    expect((await cells('refused'))[2]).toBe('private address');
    expect((await cells('first'))[2]).toBe('302');
    expect((await cells('posted'))[0]).toBe('POST');
    expect((await cells('cached.js'))[4]).toBe('from cache');
    expect((await cells('ws')).slice(2, 6)).toEqual(['101', 'websocket', '6 frames', 'pending']);
    await fetchInPage('/item/late');
    await rows('late').waitFor();
    expect((await names()).at(-1)).toBe('late');
  });

  test('draws the times of those in view to one scale, wherever they lie', async () => {
    await open();
    // both were held back by a rule; between them lies a time in which nothing else was asked for
    await page.getByRole('searchbox').fill('second');
    await seen(async () => expect(await names()).toEqual(['second', 'second']));
    const drawn = await table()
      .locator('tbody tr')
      .evaluateAll((all) =>
        all.map((row) => {
          const bars = [...row.querySelectorAll('.waterfall rect')];
          return {
            id: row.querySelector<HTMLElement>('[data-id]')?.dataset.id,
            from: Number(bars[0]?.getAttribute('x')),
            wide: bars.reduce((sum, bar) => sum + Number(bar.getAttribute('width')), 0),
          };
        }),
      );
    const took = await Promise.all(
      drawn.map(async (each) => {
        const { body } = await user.server.api.call('GET', `/v1/browsers/${id}/network/${each.id}`);
        return body.durationMs as number;
      }),
    );
    const perMs = drawn.map(({ wide }, index) => wide / (took[index] ?? 0));
    expect((perMs[0] ?? 0) / (perMs[1] ?? 1)).toBeCloseTo(1, 1);
    expect(drawn[1]?.from).toBeGreaterThan((drawn[0]?.from ?? 0) + (drawn[0]?.wide ?? 0));
  });

  test('asks for nothing while the page is hidden, and goes on when it is seen again', async () => {
    const own = await newWindow(user);
    await own.clock.install();
    await signIn({ ...user, page: own });
    await open('', own);
    await table(own).waitFor();
    const look = (how: 'hidden' | 'visible') =>
      own.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, how);
    await look('hidden');
    const asked: string[] = [];
    own.on('request', (request) => {
      if (/\/network\b/.test(request.url())) asked.push(request.url());
    });
    await own.clock.runFor(60_000);
    expect(asked).toEqual([]);
    await look('visible');
    await seen(() => expect(asked.length).toBeGreaterThan(0));
    await own.context().close();
  });

  test('is filtered by type, status, failure and text, by its address too', async () => {
    await open();
    await table().waitFor();
    await panel().getByLabel('Type').selectOption('Images');
    await seen(async () => expect(await names()).toEqual(['picture.png', 'picture.png']));
    await panel().getByLabel('Type').selectOption('All types');
    await panel().getByLabel('Status').selectOption('4xx');
    await seen(async () => expect(new Set(await names())).toContain('missing'));
    await seen(async () => expect(await names()).not.toContain('shop.css'));
    await page.reload();
    await seen(async () => expect(await names()).not.toContain('shop.css'));
    await panel().getByLabel('Status').selectOption('Any status');
    await panel().getByLabel('Failed only').check();
    await seen(async () => expect(new Set(await names())).toContain('refused'));
    await seen(async () => expect(await names()).not.toContain('first'));
    await page.getByRole('searchbox').fill('PRIVATE get');
    await seen(async () => expect(await names()).toEqual(['refused', 'refused']));
    await panel()
      .getByText(/^2 of \d+ requests$/)
      .waitFor();
    await page.getByRole('searchbox').fill('nothing has this name');
    await panel().getByText('No matching requests').waitFor();
    await panel().getByRole('button', { name: 'Clear filters' }).click();
    await seen(async () => expect(await names()).toContain('shop.css'));
  });

  test('is walked through with the keyboard, and the focus comes back from the details', async () => {
    await fetchInPage('/item/before-last');
    await fetchInPage('/item/late');
    await open();
    await rows('late').last().getByRole('button').focus();
    await page.keyboard.press('ArrowUp');
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('bdi')?.textContent);
    expect(await focused()).toBe('before-last');
    await page.keyboard.press('Home');
    await seen(async () => expect(await focused()).toBe('shop'));
    await page.keyboard.press('End');
    await seen(async () => expect(await focused()).toBe('late'));
    await page.keyboard.press('Enter');
    await detail().getByRole('heading', { name: 'late' }).waitFor();
    await page.keyboard.press('Escape');
    await detail().waitFor({ state: 'detached' });
    await seen(async () => expect(await focused()).toBe('late'));
    // on a phone the details stand in place of the table
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press('Enter');
    await detail().getByRole('heading', { name: 'late' }).waitFor();
    expect(await table().isVisible()).toBe(false);
    await detail().getByRole('button', { name: 'Close details' }).click();
    await seen(async () => expect(await focused()).toBe('late'));
    await page.setViewportSize({ width: 1440, height: 1000 });
  });
});

describe('the details of a request', () => {
  test('lead along a redirect, both ways', async () => {
    await open();
    await openRow('first');
    await fact('Redirected to').getByRole('link').click();
    await detail().getByRole('heading', { name: 'second' }).waitFor();
    await fact('Redirected from').getByRole('link').click();
    await detail().getByRole('heading', { name: 'first' }).waitFor();
    await page.goBack();
    await detail().getByRole('heading', { name: 'second' }).waitFor();
    expect(
      await detail().getByRole('region', { name: 'Timing' }).getByText('Wait for the answer').count(),
    ).toBe(1);
    expect(await fact('Remote address').textContent()).toBe(`127.0.0.1:${site.port}`);
  });

  test('say which rule refused it, what a WebSocket sent, and narrow the list to its host', async () => {
    await open();
    await openRow('refused');
    expect(await fact('Policy rule').textContent()).toBe('private address');
    await detail().getByRole('button', { name: 'Only 10.9.8.7' }).click();
    await seen(async () => expect(new Set(await names())).toEqual(new Set(['refused'])));
    await page.getByRole('button', { name: 'Remove filter: Host 10.9.8.7' }).click();
    await openRow('ws');
    expect(await fact('Frames').textContent()).toBe('3 sent (15 B), 3 received (15 B)');
  });

  test('show bodies as text and pictures, and never as a page', async () => {
    await open();
    await openRow('data.json');
    expect(await detail().getByText('••• hidden').count()).toBeGreaterThanOrEqual(2);
    const show = () => detail().getByRole('button', { name: 'Show body' }).click();
    await show();
    await detail().getByText('"turned": "a⟨U+202E⟩b"').waitFor();
    await openRow('page.html');
    await show();
    await detail().getByText('<h1>Markup</h1>').waitFor();
    expect(await detail().locator('h1').count()).toBe(0);
    await openRow('picture.png');
    await show();
    const picture = detail().locator('img');
    await seen(async () =>
      expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(8),
    );
    await visit('/', 'home');
    await openRow('second');
    await show();
    await detail().getByText('REQUEST_CONTENT_GONE').waitFor();
  });

  test('are copied as a command that a shell reads as it was sent, without what is hidden', async () => {
    await open();
    await openRow('data.json');
    await detail()
      .getByText('The cURL command comes without the hidden headers Authorization, Cookie.')
      .waitFor();
    await detail().getByRole('button', { name: 'Copy as cURL' }).click();
    await detail().getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    const url = `${site.origin}/data.json?name=%22%3E%3Cimg%20src=x%20onerror=parent.hacked=1%3E`;
    expect(text.split('\n').slice(0, 2)).toEqual([
      '# without the hidden headers Authorization, Cookie',
      `curl --globoff '${url}' \\`,
    ]);
    expect(text).toContain(`\n  -H 'x-odd: it'\\''s "odd" $(id) \`id\` \\' \\\n`);
    expect(text).not.toContain('topsecret');
    const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${text}`;
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0');
    expect(words.slice(0, 2)).toEqual(['--globoff', url]);
    expect(words).toContain(`x-odd: it's "odd" $(id) \`id\` \\`);
    await openRow('escape');
    await detail().getByText('the unsafe header x-escape').waitFor();
    await detail().getByRole('button', { name: 'Copy as cURL' }).click();
    await seen(async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      expect(copied).toContain('/escape');
      expect(copied).not.toContain('\u001b');
    });
  });
});

describe('the log as a whole', () => {
  test('is saved as a HAR', async () => {
    await open();
    const saved = page.waitForEvent('download');
    await panel().getByRole('button', { name: 'Save HAR' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('network.har');
    const har = JSON.parse(Buffer.concat(await (await download.createReadStream()).toArray()).toString());
    expect(har.log.entries.length).toBeGreaterThan(20);
  });

  test('is reached from the timeline: what a script asked for, and what was refused', async () => {
    await visit('/', 'home');
    await page.goto(`${user.server.api.url}/app/browsers/${id}?view=live`);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline
      .getByRole('button', { name: /Blocked by policy/ })
      .first()
      .click();
    await timeline.getByRole('link', { name: 'Requests to this host that failed' }).click();
    await seen(async () => expect(await names()).toEqual(['refused', 'refused']));
    await page.goBack();
    await timeline
      .getByRole('button', { name: /Script finished/ })
      .first()
      .click();
    await timeline.getByRole('link', { name: 'Requests since it began' }).click();
    await seen(async () => expect(await names()).toEqual(['/']));
    await page.getByRole('button', { name: /^Remove filter: Since/ }).click();
    await seen(async () => expect(await names()).toContain('shop.css'));
  });

  test('of more than a thousand requests draws those in view, loads older ones, and keeps its place', async () => {
    await visit('/many', 'all');
    await open();
    await table().waitFor();
    const count = async () => Number(await table().getAttribute('aria-rowcount')) - 1;
    expect(await count()).toBeLessThan(500);
    const box = page.locator('.requests-box');
    const top = () =>
      box.evaluate((element) => {
        const edge =
          element.getBoundingClientRect().top + (element.querySelector('thead')?.offsetHeight ?? 0);
        const drawn = [...element.querySelectorAll('tbody tr')];
        const first = drawn.find((row) => row.getBoundingClientRect().bottom > edge + 1);
        return first?.querySelector<HTMLElement>('[data-id]')?.dataset.id;
      });
    const last = await top();
    await box.evaluate((element) => element.scrollTo(0, 1000));
    await seen(async () => expect(await top()).not.toBe(last));
    const read = await top();
    const older = panel().getByRole('button', { name: 'Load older' });
    for (let before = await count(); await older.isVisible(); before = await count()) {
      await older.click();
      await seen(async () => expect(await count()).toBeGreaterThan(before));
      expect(await top()).toBe(read);
    }
    expect(await count()).toBeGreaterThanOrEqual(1000);
    expect(await table().getByRole('row').count()).toBeLessThan(80);
    await panel().getByText('The log keeps the last 1,000 of each tab').waitFor();
    const before = await count();
    // of a page that was as fast as that, the log may still only count
    await seen(async () => {
      await fetchInPage('/item/last');
      expect(await count()).toBeGreaterThan(before);
    });
    expect(await top()).toBe(read);
    await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await rows('last').first().waitFor();
  });

  test('tells what was only counted, and when it is off', async () => {
    await page.route('**/network?*', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), dropped: 1234 } });
    });
    await open();
    await panel().getByText('1,234 requests were made so fast that the log has only counted them.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await using off = await startServer({ BROWSERD_NETWORK_LOG: 'off' });
    const other = await newWindow(user);
    await signIn({ ...user, server: off, page: other });
    const { body } = await off.api.create({});
    await other.goto(`${off.api.url}/app/browsers/${body.id}?view=network`);
    await panel(other).getByText('The log is off').waitFor();
    await other.context().close();
  });

  test('is told apart from the rules, which say how often each was applied', async () => {
    await page.goto(`${user.server.api.url}/app/browsers/${id}?view=policy`);
    const rules = page.getByRole('table', { name: 'Request rules' });
    await seen(async () =>
      expect(await rules.getByRole('row').nth(2).getByRole('cell').allTextContents()).toEqual([
        '2',
        'requests to */second',
        'delay by 50 ms',
        '2',
      ]),
    );
  });

  test('ends with its Chromium, and no word of a page has done anything to the dashboard', async () => {
    await user.server.api.stop(id);
    await open();
    await panel().getByText('No log').waitFor();
    expect(await page.evaluate(() => [document.documentElement.dataset.hacked, 'hacked' in window])).toEqual([
      undefined,
      false,
    ]);
    expect(user.troubles).toEqual([]);
  });
});
