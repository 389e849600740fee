import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { type Asked, createAsked } from '../support/dialog-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let browser: Asked;

beforeAll(async () => {
  site = await startSite();
  server = await startServer();
  browser = await createAsked(server, {
    startUrl: `${site.origin}/`,
    geolocation: { latitude: 52.5, longitude: 13.4 },
    permissions: { geolocation: 'granted' },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const permissions = (id = browser.id) => server.api.call('GET', `/v1/browsers/${id}/permissions`);
const set = (body: object, id = browser.id) =>
  server.api.call('POST', `/v1/browsers/${id}/permissions`, { body });
const clear = (body?: object, headers?: Record<string, string>, id = browser.id) =>
  server.api.call('POST', `/v1/browsers/${id}/permissions/clear`, { body, headers });
const stateOf = (name: string, asked = browser) =>
  asked.result(
    `return page.evaluate(() => navigator.permissions.query({ name: '${name}' }).then(({ state }) => state))`,
  );
const place = `return page.evaluate(() => new Promise((tell) => navigator.geolocation.getCurrentPosition(
  ({ coords }) => tell([coords.latitude, coords.longitude]), ({ code }) => tell('refused ' + code))))`;

describe('a page', () => {
  test('learns the place that was given at create only while it may', async () => {
    expect((await permissions()).body).toEqual({ permissions: { geolocation: 'granted' }, origins: {} });
    expect(await browser.result(place)).toEqual([52.5, 13.4]);
    expect(await set({ permissions: { geolocation: 'denied' } })).toMatchObject({
      status: 200,
      body: { permissions: { geolocation: 'denied' } },
    });
    expect(await browser.result(place)).toBe('refused 1');
    await set({ origin: `${site.origin}/`, permissions: { geolocation: 'granted' } });
    expect(await browser.result(place)).toEqual([52.5, 13.4]);
    expect((await permissions()).body).toEqual({
      permissions: { geolocation: 'denied' },
      origins: { [site.origin]: { geolocation: 'granted' } },
    });
    expect((await server.api.get(browser.id)).body.permissions).toEqual({ geolocation: 'denied' });
  });

  test('reads and writes the clipboard', async () => {
    const copy = `return page.evaluate(() => navigator.clipboard.writeText('copied').then(() => navigator.clipboard.readText()).catch(({ name }) => name))`;
    await set({ permissions: { 'clipboard-read': 'denied', clipboardSanitizedWrite: 'denied' } });
    expect(await browser.result(copy)).toBe('NotAllowedError');
    await set({ permissions: { 'clipboard-read': 'granted', 'clipboard-write': 'granted' } });
    expect(await browser.result(copy)).toBe('copied');
  });

  test('hears of a change at once', async () => {
    await set({ permissions: { notifications: 'denied' } });
    const listen = `await page.evaluate(async () => {
      const status = await navigator.permissions.query({ name: 'notifications' });
      window.heard = new Promise((tell) => { status.onchange = () => tell(status.state); });
    })`;
    await browser.result(listen);
    await set({ permissions: { notifications: 'granted' } });
    expect(await browser.result('return page.evaluate(() => window.heard)')).toBe('granted');
    expect(await browser.result('return page.evaluate(() => Notification.requestPermission())')).toBe(
      'granted',
    );
  });
});

describe('permissions', () => {
  test('that a script grants are listed, those it does not name as denied, and its clearing clears', async () => {
    const grant = `await context.grantPermissions(['camera'], { origin: '${site.origin}' })`;
    await browser.result(grant);
    const { origins } = (await permissions()).body;
    expect(origins[site.origin]).toMatchObject({ camera: 'granted', geolocation: 'denied', midi: 'denied' });
    expect(await Promise.all(['camera', 'geolocation'].map((name) => stateOf(name)))).toEqual([
      'granted',
      'denied',
    ]);
    await browser.result('await context.clearPermissions()');
    expect((await permissions()).body).toEqual({ permissions: {}, origins: {} });
  });

  test('are cleared for one origin or for all, with or without a body', async () => {
    await set({ permissions: { midi: 'granted' } });
    await set({ origin: site.origin, permissions: { midi: 'denied' } });
    expect(await stateOf('midi')).toBe('denied');
    expect((await clear({ origin: site.origin })).body).toEqual({
      permissions: { midi: 'granted' },
      origins: {},
    });
    expect(await stateOf('midi')).toBe('granted');
    expect(await clear(undefined, { 'content-type': 'application/json' })).toMatchObject({
      status: 200,
      body: { permissions: {}, origins: {} },
    });
    expect(await stateOf('midi')).toBe('prompt');
    expect(await clear()).toMatchObject({ status: 200 });
  });

  test('of two callers at once are all there', async () => {
    const names = ['camera', 'microphone', 'midi', 'notifications', 'clipboard-read', 'local-fonts'];
    await Promise.all([
      ...names.map((name) => set({ permissions: { [name]: 'granted' } })),
      ...names.map((name) => set({ origin: `https://${name}.test`, permissions: { [name]: 'denied' } })),
      server.api.patch(browser.id, { dialogs: 'accept' }),
    ]);
    const { body } = await permissions();
    expect(body.permissions).toEqual(Object.fromEntries(names.map((name) => [name, 'granted'])));
    expect(Object.keys(body.origins)).toHaveLength(names.length);
    expect((await server.api.get(browser.id)).body.dialogs).toBe('accept');
    await clear();
  });

  test('that do not exist, or of no origin, are refused by name', async () => {
    const unknown = await set({ permissions: { teleport: 'granted' } });
    expect(unknown).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: 'permissions.teleport' }] } } },
    });
    expect(unknown.body.error.message).toContain('clipboard-read');
    const wrong = [
      { permissions: {} },
      { permissions: { camera: 'maybe' } },
      ...[
        'nonsense',
        'about:blank',
        'file:///etc',
        'https://a.test/path',
        'https://me:pw@a.test',
        'data:,x',
        '',
      ].map((origin) => ({ origin, permissions: { camera: 'granted' } })),
    ];
    for (const body of wrong)
      expect(await set(body)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_FAILED' } } });
    expect((await permissions()).body).toEqual({ permissions: {}, origins: {} });
  });

  test('can all be set, by the name of the web', async () => {
    const { body } = await set({ permissions: { teleport: 'granted' } });
    const names: string[] = body.error.message.split('Valid names: ')[1].split(', ');
    expect(names.length).toBeGreaterThan(30);
    for (const origin of [undefined, 'https://a.test'])
      for (const state of ['granted', 'denied', 'prompt'])
        expect(
          await set({ origin, permissions: Object.fromEntries(names.map((name) => [name, state])) }),
        ).toMatchObject({ status: 200 });
    await clear();
  });

  test('are kept over stop and resume, and may be changed in between', async () => {
    const { api } = server;
    await set({ permissions: { geolocation: 'denied', midi: 'granted' } });
    await api.stop(browser.id);
    expect(await set({ origin: site.origin, permissions: { geolocation: 'granted' } })).toMatchObject({
      status: 200,
    });
    await api.resume(browser.id);
    expect((await permissions()).body).toEqual({
      permissions: { geolocation: 'denied', midi: 'granted' },
      origins: { [site.origin]: { geolocation: 'granted' } },
    });
    expect(await Promise.all(['geolocation', 'midi'].map((name) => stateOf(name)))).toEqual([
      'granted',
      'granted',
    ]);
    expect(await browser.result(place)).toEqual([52.5, 13.4]);
  });

  test('of a closed browser are no more', async () => {
    const { body } = await server.api.create();
    await server.api.remove(body.id);
    for (const answer of [
      await permissions(body.id),
      await set({ permissions: { midi: 'granted' } }, body.id),
      await clear({}, {}, body.id),
    ])
      expect(answer).toMatchObject({ status: 409, body: { error: { code: 'BROWSER_NOT_READY' } } });
  });
});

const hasFull = (await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false })).full;

describe.skipIf(!hasFull)(
  'in the whole Chromium (skipped where only the headless shell is installed)',
  () => {
    test('a page gets a camera and a microphone, and shows notifications, only while it may', async () => {
      const full = await createAsked(server, { engine: 'full', startUrl: `${site.origin}/` });
      const tracks = `return page.evaluate(() => navigator.mediaDevices.getUserMedia({ audio: true, video: true })
      .then((stream) => stream.getTracks().map(({ kind, readyState }) => kind + ' ' + readyState), ({ name }) => name))`;
      const allow = (state: string) =>
        set({ permissions: { camera: state, microphone: state, notifications: state } }, full.id);
      const notification = 'return page.evaluate(() => Notification.permission)';
      for (const state of ['denied', 'prompt']) {
        await allow(state);
        expect(await full.result(tracks)).toBe('NotAllowedError');
      }
      await allow('granted');
      expect(await full.result(tracks)).toEqual(['audio live', 'video live']);
      expect(await full.result(notification)).toBe('granted');
      await set({ permissions: { microphone: 'denied', notifications: 'denied' } }, full.id);
      expect(await full.result(tracks)).toBe('NotAllowedError');
      expect(await full.result(notification)).toBe('denied');
      expect(
        await set({ origin: 'http://insecure.test', permissions: { camera: 'granted' } }, full.id),
      ).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED' } },
      });
      await server.api.remove(full.id);
    });
  },
);
