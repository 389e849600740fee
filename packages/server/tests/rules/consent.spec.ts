import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { captureAt, readPng } from '../support/capture-client.ts';
import { capability } from '../support/cdp-client.ts';
import { type ConsentSite, startConsentSite } from '../support/consent-site.ts';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ConsentSite;
beforeAll(async () => {
  site = await startConsentSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = { privateAccess: { localhost: true } };
const decline = { ...open, consent: 'decline' };
const patient = { timeout: 90_000, interval: 50 };

/** A name of its own for each page: the site remembers what was pressed there. */
let names = 0;
const newName = (): string => `site${++names}`;
const pressedAt = (name: string): string[] =>
  site.pressed.filter((each) => each.startsWith(`${name} `)).map((each) => each.slice(name.length + 1));

const declinedAt = (name: string): Promise<void> =>
  vi.waitFor(() => expect(pressedAt(name)).toEqual(['declined']), patient);
const countsOf = async (id: string): Promise<unknown> => (await server.api.get(id)).body.consent;
const eventsOf = async (id: string, type: string) =>
  (await server.api.call('GET', `/v1/browsers/${id}/events?type=${type}`)).body.items;
const firstTab = async (id: string): Promise<string> => (await server.api.status(id)).body.tabs[0].tabId;
const goTo = async (id: string, url: string): Promise<void> => {
  const path = `/v1/browsers/${id}/tabs/${await firstTab(id)}`;
  expect((await server.api.call('PATCH', path, { body: { url, timeoutMs: 120_000 } })).status).toBe(200);
};

/** A browser for several pages: it starts with the first of them, and goes to the others. */
function browserFor(more: object = {}) {
  let id: string | undefined;
  return {
    async show(url: string): Promise<string> {
      if (id) await goTo(id, url);
      else id = (await server.api.create({ ...more, policy: decline, startUrl: url })).body.id as string;
      return id;
    },
    remove: async () => id && server.api.remove(id),
  };
}

describe.each(['shell', 'full'])('in the engine %s', (engine) => {
  const browser = browserFor({ engine });
  afterAll(() => browser.remove());

  test.each(['onetrust', 'cookiebot'])('a banner is declined: %s', async (page) => {
    const name = newName();
    await browser.show(site.at(name, `/${page}`));
    await declinedAt(name);
  });

  test('a banner in a frame of another site is declined', async () => {
    const name = newName();
    const id = await browser.show(site.at(name, '/frame'));
    await declinedAt(`${name}-frame`);
    const told = await eventually(
      () => eventsOf(id, 'consent.declined'),
      ([newest]) => newest?.data.maker === 'Sourcepoint-frame',
    );
    expect(told[0].data).toEqual({ tabId: await firstTab(id), maker: 'Sourcepoint-frame' });
    expect(await countsOf(id)).toEqual({ declined: told.length, failed: 0 });
  });

  test('a banner in a popup is declined', async () => {
    const name = newName();
    await browser.show(site.at(name, '/opens'));
    await declinedAt(name);
  });
});

describe('a banner', () => {
  const browser = browserFor();
  afterAll(() => browser.remove());

  test.each([
    ['onetrust', 'Onetrust'],
    ['didomi', 'didomi'],
    ['cookiebot', 'Cybotcookiebot'],
    ['usercentrics', 'usercentrics-api'],
    ['words', 'HEURISTIC-REJECT'],
  ])('is declined by its own button, and an event tells of it: %s', async (page, maker) => {
    const name = newName();
    const url = site.at(name, `/${page}`);
    const id = await browser.show(url);
    await declinedAt(name);
    const told = await eventually(
      () => eventsOf(id, 'consent.declined'),
      ([newest]) => newest?.data.maker === maker,
    );
    expect(told[0].data).toEqual({ tabId: await firstTab(id), maker });
    expect(await countsOf(id)).toEqual({ declined: told.length, failed: 0 });

    // The page remembers, and no banner is declined twice.
    await goTo(id, url);
    expect(pressedAt(name)).toEqual(['declined']);
  });
});

test('quick actions wait until a banner is gone', async () => {
  const shot = { policy: decline, viewport: { width: 400, height: 300 } };
  for (const page of ['still', 'onetrust', 'frame']) {
    const taken = await captureAt(server.api, '/v1/screenshot', {
      ...shot,
      url: site.at(newName(), `/${page}`),
    });
    expect([page, ...readPng(taken).at(200, 200)]).toEqual([page, 255, 255, 255, 255]);
  }
  const { body } = await server.api.call('POST', '/v1/scrape', {
    body: { policy: decline, url: site.at(newName(), '/cookiebot'), mainContent: false },
  });
  expect(body.content).toContain('The text of the page');
  expect(body.content).not.toContain('This website uses cookies');

  const left = await captureAt(server.api, '/v1/screenshot', {
    ...shot,
    policy: open,
    url: site.at(newName(), '/onetrust'),
  });
  expect(readPng(left).at(200, 200)).toEqual([255, 0, 0, 255]);
});

test('a page has the program only while the policy says so', async () => {
  const name = newName();
  const { body } = await server.api.create({ policy: open, startUrl: site.at(name, '/plain') });
  const browser = await chromium.connectOverCDP(await capability(server.api, body.id));
  const page = browser.contexts()[0]?.pages()[0] as Page;
  const session = await page.context().newCDPSession(page);
  const worlds = new Set<number>();
  session.on('Runtime.executionContextCreated', ({ context }) => worlds.add(context.id));
  session.on('Runtime.executionContextsCleared', () => worlds.clear());
  await session.send('Runtime.enable');
  const expression = `Symbol.for('browserd inside/decline') in globalThis`;
  const isThere = async (): Promise<boolean> => {
    const looks = [...worlds].map((contextId) => session.send('Runtime.evaluate', { expression, contextId }));
    return (await Promise.all(looks)).some(({ result }) => result.value);
  };
  expect(await isThere()).toBe(false);
  await server.api.patch(body.id, { policy: decline });
  await vi.waitFor(async () => expect(await isThere()).toBe(true), patient);
  await page.goto(site.at(name, '/around'));
  expect(await isThere()).toBe(true);
  await server.api.patch(body.id, { policy: open });
  await page.goto(site.at(name, '/plain'));
  expect(await isThere()).toBe(false);
  await browser.close();
  await server.api.remove(body.id);
});

test('a policy declines or says nothing', async () => {
  const { body } = await server.api.create({ policy: { ...open, consent: null } });
  expect(body.policy).toEqual(open);
  expect(body.consent).toBeUndefined();
  expect((await server.api.patch(body.id, { policy: { consent: 'accept' } })).status).toBe(400);
  await server.api.remove(body.id);
});

test('it is switched on in pages that are open', async () => {
  const name = newName();
  const { body } = await server.api.create({ policy: open, startUrl: site.at(name, '/onetrust') });
  expect(await countsOf(body.id)).toBeUndefined();
  const patched = await server.api.patch(body.id, { policy: decline });
  expect(patched.body).toMatchObject({ policy: decline, consent: { declined: 0, failed: 0 } });
  await declinedAt(name);
  await server.api.remove(body.id);
});

test('it is switched off in pages that are open, and on again', async () => {
  const [left, other] = [newName(), newName()];
  const create = async (name: string): Promise<string> =>
    (await server.api.create({ policy: decline, startUrl: site.at(name, '/later') })).body.id;
  const [id, beside] = [await create(left), await create(other)];
  await server.api.patch(id, { policy: open });
  for (const each of [id, beside])
    await scriptClient(server, each).resultOf('await page.evaluate(() => show())');
  // Where it was not switched off.
  await declinedAt(other);
  expect(pressedAt(left)).toEqual([]);
  await server.api.patch(id, { policy: decline });
  await declinedAt(left);
  for (const each of [id, beside]) await server.api.remove(each);
});

test('it outlives a stop', async () => {
  const [first, second] = [newName(), newName()];
  const { body } = await server.api.create({ policy: decline, startUrl: site.at(first, '/onetrust') });
  await declinedAt(first);
  await server.api.stop(body.id);
  await server.api.resume(body.id);
  expect(await countsOf(body.id)).toEqual({ declined: 0, failed: 0 });
  await goTo(body.id, site.at(second, '/cookiebot'));
  await declinedAt(second);
  await server.api.remove(body.id);
});

test('it outlives a crash', async () => {
  const name = newName();
  const { body } = await server.api.create({ policy: decline });
  process.kill(chromiumOf(profileOf(server.scratchDir, body.id))[0] as number, 'SIGKILL');
  await eventually(
    () => server.api.get(body.id),
    ({ body: browser }) => browser.epoch > body.epoch && browser.status === 'ready',
  );
  await goTo(body.id, site.at(name, '/didomi'));
  await declinedAt(name);
  await server.api.remove(body.id);
});

test('a page without a banner sees nothing of it', async () => {
  const [watched, alone] = [newName(), newName()];
  const { body: with_ } = await server.api.create({ policy: decline, startUrl: site.at(watched, '/around') });
  const { body: without } = await server.api.create({ policy: open, startUrl: site.at(alone, '/around') });
  await vi.waitFor(
    () => expect([...site.told.keys()]).toEqual(expect.arrayContaining([watched, alone])),
    patient,
  );
  expect(site.told.get(watched)).toEqual(site.told.get(alone));
  for (const { id } of [with_, without]) await server.api.remove(id);
});

test('a banner that does not yield is told as such', async () => {
  const { body } = await server.api.create({ policy: decline, startUrl: site.at(newName(), '/stubborn') });
  await vi.waitFor(async () => expect(await countsOf(body.id)).toEqual({ declined: 0, failed: 1 }), patient);
  const [{ data }] = await eventsOf(body.id, 'consent.failed');
  expect(data).toMatchObject({ maker: 'usercentrics-button' });
  await server.api.remove(body.id);
});

test('a page that floods its frames and its document leaves the others what they need', async () => {
  const { body: flooded } = await server.api.create({
    policy: decline,
    startUrl: site.at(newName(), '/floods'),
  });
  const name = newName();
  const { body } = await server.api.create({ policy: decline, startUrl: site.at(name, '/cookiebot') });
  await declinedAt(name);
  for (const { id } of [flooded, body]) await server.api.remove(id);
});
