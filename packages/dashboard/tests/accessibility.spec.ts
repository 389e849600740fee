import { randomUUID } from 'node:crypto';
import axe from 'axe-core';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RequestsSite, startRequestsSite } from '../../server/tests/support/requests-site.ts';
import { eventually } from '../../server/tests/support/server.ts';
import { addNode, newWindow, signIn, startUser, type User } from './dashboard-client.ts';

let user: User;
let page: Page;
/** One of each kind of name that breaks layouts: without a space, from right to left, of pictures. */
const names = ['w'.repeat(200), `متصفح الطلبات ${'الليلية '.repeat(20)}`.trim(), '🧪👩‍🔬'.repeat(25)];
const ids: string[] = [];
let site: RequestsSite;
/** A browser with rules, whose page has asked for one thing of each kind, and the request with the longest name. */
const busy = { id: '', request: '' };
let job: string;

beforeAll(async () => {
  user = await startUser();
  // the tool is put into the page from outside, which the content policy of the dashboard rightly forbids to pages
  page = await newWindow(user, { viewport: { width: 1280, height: 800 }, bypassCSP: true });
  for (const name of names)
    ids.push((await user.server.api.create({ name, metadata: { [name.slice(0, 60)]: name } })).body.id);
  await user.server.api.call('POST', `/v1/browsers/${ids[0]}/handoff`, {
    body: { message: 'm'.repeat(900) },
  });
  const { api } = user.server;
  await api.call('POST', '/v1/keys', { body: { name: names[0], role: 'member' } });
  const origins = [`https://${'long-name.'.repeat(20)}example`];
  await api.call('POST', '/v1/secrets', { body: { name: 's'.repeat(128), value: 'a value', origins } });
  await api.call('POST', '/v1/webhooks', {
    body: { url: `https://example.com/${'hook'.repeat(100)}`, events: [] },
  });
  for (const name of names)
    await api.call('POST', '/v1/profiles', {
      body: { name, storageState: { cookies: [{ name: 'a', value: 'b', domain: `${'x'.repeat(60)}.com` }] } },
      headers: { 'idempotency-key': randomUUID() },
    });
  await addNode(user, { version: '9.9.9', zone: 'z'.repeat(60) });
  await runJob();
  await goShopping();
  await signIn({ ...user, page });
});
/** Ended, with a page that was read, one that failed, and names that break layouts. */
async function runJob(): Promise<void> {
  const { api } = user.server;
  const items = [
    { html: `<title>${names[0]}</title><main>${names[1]}</main>` },
    { url: `http://10.0.0.1/${'x'.repeat(400)}` },
  ];
  const headers = { 'idempotency-key': randomUUID() };
  const { body } = await api.call('POST', '/v1/jobs', {
    body: { kind: 'batch', name: names[0], items, retries: 0 },
    headers,
  });
  job = body.id;
  const status = async () => (await api.call('GET', `/v1/jobs/${job}`)).body.status;
  await eventually(status, (now) => now === 'completed');
}
async function goShopping(): Promise<void> {
  const { api } = user.server;
  site = await startRequestsSite();
  const rules = [
    { match: { host: `${'long-name.'.repeat(20)}example` }, do: { action: 'block' } },
    {
      match: { url: `https://example.com/${'x'.repeat(400)}*`, method: 'GET' },
      do: { action: 'delay', ms: 50 },
    },
  ];
  busy.id = (await api.create({ policy: { privateAccess: { localhost: true }, rules } })).body.id;
  const code = `await page.goto(args); await page.waitForFunction(() => document.title === 'done');
    await page.evaluate((long) => fetch('/data.json?' + long), 'q'.repeat(3000))`;
  await api.call('POST', `/v1/browsers/${busy.id}/script/execute`, {
    body: { code, args: `${site.origin}/shop` },
  });
  const { items } = (await api.call('GET', `/v1/browsers/${busy.id}/network?limit=1`)).body;
  busy.request = items[0].id;
}
beforeEach(async () => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
});
afterAll(async () => {
  await user[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = async (path: string, sign: string | Locator): Promise<void> => {
  await page.goto(user.server.api.url + path);
  await (typeof sign === 'string' ? page.getByText(sign).first() : sign).waitFor();
};
/** Every page, with what shows that it is there. */
const places: Record<string, () => [path: string, sign: string | Locator]> = {
  cards: () => ['/app/browsers?as=cards', page.locator('.thumbnail img').first()],
  table: () => ['/app/browsers?as=table', page.locator('.row-name').first()],
  live: () => [`/app/browsers/${ids[0]}?view=live`, page.frameLocator('iframe').locator('#screen')],
  replay: () => [`/app/browsers/${ids[0]}?view=replay`, 'Recordings'],
  files: () => [`/app/browsers/${ids[0]}?view=files`, 'Choose files'],
  network: () => [`/app/browsers/${ids[0]}?view=network`, 'Nothing blocked'],
  requests: () => [
    `/app/browsers/${busy.id}?view=network&host=127.0.0.1&since=2026-01-01T00:00:00Z`,
    page.getByRole('table', { name: 'Requests', exact: true }),
  ],
  request: () => [`/app/browsers/${busy.id}?view=network&request=${busy.request}`, 'Request headers'],
  rules: () => [`/app/browsers/${busy.id}?view=policy`, page.getByRole('table', { name: 'Request rules' })],
  policy: () => [`/app/browsers/${ids[0]}?view=policy`, 'Save policy'],
  state: () => [`/app/browsers/${ids[0]}?view=state`, 'Permissions'],
  script: () => [`/app/script?browser=${ids[1]}`, 'Page content after the run'],
  quick: () => ['/app/quick', 'Main content only'],
  profiles: () => ['/app/profiles', page.getByRole('table', { name: 'Profiles' })],
  jobs: () => ['/app/jobs', page.getByRole('table', { name: 'Jobs' })],
  job: () => [`/app/jobs/${job}`, page.getByRole('table', { name: 'Results' })],
  keys: () => ['/app/keys', page.getByRole('table', { name: 'API keys' })],
  secrets: () => ['/app/secrets', page.getByRole('table', { name: 'Secrets' })],
  webhooks: () => ['/app/webhooks', 'Deliveries'],
  nodes: () => ['/app/nodes', page.getByRole('table', { name: 'Nodes' })],
  health: () => ['/app/health', 'browsers in use'],
  'not-found': () => ['/app/nowhere', 'There’s nothing at this address'],
};

/** What axe finds in all documents of the page, the viewer in its frame included. */
async function faults(rules: object = {}): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.addScriptTag({ content: axe.source });
  return page.evaluate(async (asked) => {
    const { axe: tool } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Found[] }> };
    };
    interface Found {
      id: string;
      nodes: { target: string[]; failureSummary: string }[];
    }
    const { violations } = await tool.run({ resultTypes: ['violations'], ...asked });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
    );
  }, rules);
}
/** A theme is colours and nothing else: the rest was looked at in the other one. */
const ofColours = { runOnly: ['color-contrast', 'link-in-text-block'] };

/** What a person with this window cannot reach, because something pushed it out. */
const outside = (): Promise<string[]> =>
  page.evaluate(() => {
    const hidden = [...document.querySelectorAll('button, a[href], input, select')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      // the sections of a browser and the filter are moved by the finger; what is for screen readers has no size
      return (
        width > 1 && (left < -1 || right > innerWidth + 1) && !element.closest('.views, .segments, .skip')
      );
    });
    return [
      document.documentElement.scrollWidth > innerWidth ? 'the page is wider than the window' : '',
      ...hidden.map((element) => element.outerHTML.slice(0, 120)),
    ].filter(Boolean);
  });

/** In both themes, and in the widths of a desktop and of a phone. */
async function lookAround(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = { desktop: await outside(), light: await faults() };
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  found.dark = await faults(ofColours);
  await page.setViewportSize({ width: 360, height: 800 });
  found.phone = await outside();
  return found;
}
const nothing = { desktop: [], light: [], dark: [], phone: [] };

test.each(Object.keys(places))(
  'the page %s has contrast, headings and names as they should be, and no long name hides a button',
  async (name) => {
    await open(...places[name]!());
    expect(await lookAround()).toEqual(nothing);
  },
);

test('the same holds for dialogs, and a long name leaves their text whole', async () => {
  await open(...places.table!());
  await page.getByRole('button', { name: 'New browser' }).click();
  for (const closed of await page.locator('dialog summary').all()) await closed.click();
  expect(await lookAround()).toEqual(nothing);
  await page.getByRole('button', { name: 'Cancel' }).click();
  for (const name of names) {
    await page.getByRole('button', { name: `Close ${name}` }).click();
    const text = page.getByRole('dialog').getByText('This can’t be undone');
    expect([name, await outside()]).toEqual([name, []]);
    expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
});

test('the same holds for a new job, and for a result that is opened', async () => {
  await open(...places.job!());
  for (const name of [/^Show item 1/, /^Show http/]) {
    await page.getByRole('button', { name }).click();
    expect(await lookAround()).toEqual(nothing);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  await open(...places.jobs!());
  await page.getByRole('button', { name: 'New job' }).click();
  await page.locator('dialog summary').click();
  expect(await lookAround()).toEqual(nothing);
});

test('the focus goes back to what opened a dialog, or to what stands in its place', async () => {
  const focused = () =>
    page.evaluate(
      () =>
        document.activeElement?.getAttribute('aria-label') ??
        document.activeElement?.textContent ??
        document.activeElement?.id,
    );
  const inMain = () => page.evaluate(() => document.activeElement?.tagName);
  const dialog = page.getByRole('dialog');
  const { body } = await user.server.api.create({ name: 'focus' });
  await open('/app/browsers?as=table', page.getByRole('button', { name: 'Stop focus' }));
  const pairs: [opener: Locator, close: Locator | 'Escape', label: string][] = [
    [page.getByRole('button', { name: 'New browser' }), 'Escape', 'New browser'],
    [
      page.getByRole('button', { name: 'New browser' }),
      dialog.getByRole('button', { name: 'Cancel' }),
      'New browser',
    ],
    [
      page.getByRole('button', { name: 'Stop focus' }),
      dialog.getByRole('button', { name: 'Close', exact: true }),
      'Stop focus',
    ],
    [page.getByRole('button', { name: 'Keyboard shortcuts' }), 'Escape', 'Keyboard shortcuts'],
  ];
  for (const [opener, close, label] of pairs) {
    await opener.click();
    await dialog.waitFor();
    if (close === 'Escape') await page.keyboard.press('Escape');
    else await close.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await focused()).toBe(label);
  }
  await page.getByRole('button', { name: 'Stop focus' }).click();
  await dialog.getByRole('button', { name: 'Stop browser' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(focused).toBe('Resume focus');
  await page.getByRole('button', { name: 'Close focus' }).click();
  await dialog.getByRole('button', { name: 'Close browser' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The browser leaves the list when the service says so, a moment after the dialog.
  await expect.poll(inMain).toBe('MAIN');
  expect((await user.server.api.get(body.id)).body.status).toBe('closed');

  await open(...places.keys!());
  await page.getByRole('button', { name: 'New key' }).click();
  await page.getByLabel('Name').fill('focus');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('button', { name: 'I’ve saved the key' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await focused()).toBe('New key');
  await page.getByRole('button', { name: 'Revoke focus' }).click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await inMain()).toBe('MAIN');
  await open(`/app/browsers/${ids[1]}?view=live`, 'Scripts are in control');
  await page.getByRole('button', { name: 'Ask for help' }).click();
  await page.keyboard.press('Escape');
  expect(await focused()).toBe('Ask for help');
});

test('the outcome of a script stands beside its code, and the API reference is a step away', async () => {
  await open(`/app/script?browser=${ids[1]}`, 'Page content after the run');
  const code = page.getByRole('textbox', { name: 'Code' });
  await code.fill('return 6 * 7;');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText('42', { exact: true }).waitFor();
  const [left, right] = [await code.boundingBox(), await outcome.boundingBox()];
  expect(right!.x).toBeGreaterThanOrEqual(left!.x + left!.width);
  expect(right!.y).toBeLessThan(left!.y + left!.height);
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'API reference' }).click();
  const reference = await opened;
  // Its title says which page it is; for that, the operations below it need not be drawn.
  await reference.waitForURL(/\/docs$/, { waitUntil: 'commit' });
  await expect.poll(() => reference.title()).toContain('browserd API reference');
  await reference.close();
});
