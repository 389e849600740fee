import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesWith } from '../support/files-with.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
const open = { policy: { privateAccess: { localhost: true } } };

beforeAll(async () => {
  site = await startSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const asked = {
  ...open,
  viewport: { width: 800, height: 450, deviceScaleFactor: 2 },
  userAgent: 'Mozilla/5.0 Testing/1.0',
  locale: 'de-DE',
  timezone: 'Asia/Tokyo',
  geolocation: { latitude: 52.5, longitude: 13.4 },
  permissions: { geolocation: 'granted' },
  extraHeaders: { 'X-Team': 'red', Authorization: 'Bearer open-sesame', 'X-Api-Key': 'k-open-sesame' },
};

const looksAsAsked = {
  width: 800,
  height: 450,
  userAgent: 'Mozilla/5.0 Testing/1.0',
  worker: 'Mozilla/5.0 Testing/1.0',
  language: 'de-DE',
  timezone: 'Asia/Tokyo',
  geolocation: '52.5,13.4',
};

test('a page sees the viewport, language, time zone, place and headers that were asked for, also after a resume', async () => {
  const { api } = server;
  const first = site.nextReport();
  const { body: browser } = await api.create({
    ...asked,
    startUrl: `${site.origin}/state?geolocation&worker`,
  });
  expect(browser).toMatchObject({ viewport: asked.viewport, locale: 'de-DE', timezone: 'Asia/Tokyo' });
  expect(await first).toMatchObject(looksAsAsked);
  const request = site.requests.find(({ url }) => url.startsWith('/state?geolocation'));
  expect(request?.headers).toMatchObject({
    'x-team': 'red',
    authorization: 'Bearer open-sesame',
    'x-api-key': 'k-open-sesame',
    'user-agent': asked.userAgent,
  });
  const shown = { 'X-Team': 'red', Authorization: '•••', 'X-Api-Key': '•••' };
  expect(browser.extraHeaders).toEqual(shown);
  expect((await api.get(browser.id)).body.extraHeaders).toEqual(shown);
  const { body: list } = await api.call('GET', '/v1/browsers');
  expect(list.items.map(({ extraHeaders }: { extraHeaders: unknown }) => extraHeaders)).toContainEqual(shown);
  expect(request?.headers['accept-language']).toContain('de-DE');

  await api.stop(browser.id);
  const again = site.nextReport();
  await api.resume(browser.id);
  expect(await again).toMatchObject(looksAsAsked);
  const { body: events } = await api.call('GET', `/v1/browsers/${browser.id}/events`);
  expect(JSON.stringify(events)).not.toContain('open-sesame');
  expect(await filesWith(server.dataDir, 'open-sesame')).toEqual([]);
  await api.remove(browser.id);
});

test('a tab that a page opens looks the same', async () => {
  const { api } = server;
  const report = site.nextReport(({ name }) => name === 'second');
  const { body: browser } = await api.create({ ...asked, startUrl: `${site.origin}/opens-tabs` });
  expect(await report).toMatchObject({ width: 800, userAgent: asked.userAgent, timezone: 'Asia/Tokyo' });
  await api.remove(browser.id);
});

test('the next browser has nothing of the one before', async () => {
  const { api } = server;
  const report = site.nextReport();
  const { body: browser } = await api.create({ ...open, startUrl: `${site.origin}/state` });
  expect(await report).toMatchObject({ cookies: '', localStorage: null, width: 1280, language: 'en-US' });
  await api.remove(browser.id);
});

test('wrong values are named', async () => {
  const bad: [object, string][] = [
    [{ locale: 'no such!' }, 'locale'],
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ viewport: { width: 0 } }, 'viewport.width'],
    [{ permissions: { teleport: 'granted' } }, 'permissions.teleport'],
    [{ extraHeaders: { 'bad name': 'x' } }, 'extraHeaders'],
    [{ extraHeaders: { cookie: '•••' } }, 'send the value itself'],
    [{ cookies: [{ name: 'a', value: 'b' }] }, 'cookies'],
    [{ startUrl: 'file:///etc/passwd' }, 'startUrl'],
    [{ startUrl: 'chrome://settings' }, 'startUrl'],
    [{ proxy: 'ftp://x' }, 'proxy'],
    [{ policy: { allowedDomains: ['exa mple'] } }, 'policy.allowedDomains'],
    [{ colour: 'red' }, 'colour'],
  ];
  for (const [input, path] of bad) {
    const { status, body } = await server.api.create(input);
    expect(status, JSON.stringify(input)).toBe(400);
    expect(body.error.code).toBe('VALIDATION_FAILED');
    expect(JSON.stringify(body.error.details.issues), path).toContain(path);
  }
});
