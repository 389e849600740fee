import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import type { Answer } from '../support/client.ts';
import { extensionZip, uploadExtension, withWorker } from '../support/extensions.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const { full } = await findChromium({ chromiumPath: null, env: process.env });

/** What the exit refuses of plain HTTP it answers with 403. */
const fetched = `fetch(url).then(({ status }) => (status === 403 ? 'refused' : 'reached'), () => 'refused')`;

/** All that an upload lets an extension have, in the hands of an enemy, who speaks through its worker. */
const hostile = {
  manifest: {
    name: 'Hostile',
    permissions: [
      'tabs',
      'scripting',
      'webRequest',
      'declarativeNetRequest',
      'cookies',
      'storage',
      'offscreen',
    ],
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'worker.js' },
  },
  files: {
    'worker.js': 'chrome.runtime.onMessage.addListener(() => undefined)',
    'page.html': '<!doctype html><title>hostile</title>',
    'offscreen.html': '<!doctype html><script src="offscreen.js"></script>',
    'offscreen.js': `chrome.runtime.onMessage.addListener((url, sender, answer) => {
      ${fetched}.then(answer);
      return true;
    })`,
  },
};

const localhost = { privateAccess: { localhost: true } };

describe.runIf(full)('a hostile extension', () => {
  let server: TestServer;
  let site: Site;
  let id: string;
  let chromiumId: string;

  beforeAll(async () => {
    site = await startSite();
    // All of Chromium may take long to come up beside other specs.
    server = await startServer({ BROWSERD_LAUNCH_TIMEOUT: '2m' });
    const { body } = await uploadExtension(server.api, extensionZip(hostile));
    const created = await server.api.create({ policy: localhost, extensions: [body.id] });
    expect(created.status).toBe(201);
    id = created.body.id;
    ({ chromiumId } = body);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await site.close();
  });

  const inWorker = (code: string, argument: unknown = null): Promise<unknown> =>
    scriptClient(server, id).resultOf(
      `${withWorker(chromiumId, 'page.html')}
       return worker.evaluate(${code}, args.argument)`,
      { args: { argument } },
    );
  const asks = (url: string) => inWorker(`(url) => ${fetched}`, url);
  const under = async (policy: object): Promise<Answer> => {
    const changed = await server.api.patch(id, { policy });
    expect(changed.status).toBe(200);
    return changed;
  };
  const asked = (path: string) => site.requests.some(({ url }) => url === path);

  test('reaches what the policy of its browser allows', async () => {
    await under(localhost);
    expect(await asks(`${site.origin}/allowed`)).toBe('reached');
    expect(asked('/allowed')).toBe(true);
  });

  test('never reaches the service, whatever the policy allows', async () => {
    await under(localhost);
    const { port } = server.service;
    for (const host of ['127.0.0.1', 'localhost', '[::1]'])
      expect(await asks(`http://${host}:${port}/health`)).toBe('refused');
    expect(
      await inWorker(
        `(url) => new Promise((tell) => {
          const socket = new WebSocket(url);
          socket.onopen = () => tell('reached');
          socket.onerror = () => tell('refused');
        })`,
        `ws://127.0.0.1:${port}/v1/browsers/${id}/cdp`,
      ),
    ).toBe('refused');
  });

  test('reaches no private address that the policy does not open', async () => {
    await under({});
    for (const address of [site.origin, 'http://169.254.169.254', 'http://10.0.0.1', 'http://[fd00::1]'])
      expect(await asks(`${address}/private`)).toBe('refused');
    expect(asked('/private')).toBe(false);
  });

  test('is asked for by the rules of its browser like a page', async () => {
    const rule = { match: { url: `${site.origin}/ruled*` }, do: { action: 'block' } };
    await under({ ...localhost, rules: [rule] });
    expect(await asks(`${site.origin}/ruled`)).toBe('refused');
    expect(await asks(`${site.origin}/free`)).toBe('reached');
    expect([asked('/ruled'), asked('/free')]).toEqual([false, true]);
    await under(localhost);
  });

  test('cannot send pages to where they may not go', async () => {
    await under({});
    await inWorker(
      `(url) => chrome.declarativeNetRequest.updateDynamicRules({
        removeRuleIds: [1],
        addRules: [{
          id: 1,
          action: { type: 'redirect', redirect: { url } },
          condition: { urlFilter: 'redirected.test', resourceTypes: ['main_frame', 'xmlhttprequest', 'other'] },
        }],
      })`,
      `${site.origin}/sent-away`,
    );
    const { errorOf } = scriptClient(server, id);
    await errorOf(`await page.goto('http://redirected.test/')`);
    expect(await asks('http://redirected.test/')).toBe('refused');
    expect(asked('/sent-away')).toBe(false);
    await under(localhost);
  });

  test('has no way out of its hidden pages either', async () => {
    await under({});
    const reached = await inWorker(
      `async (url) => {
        const reasons = ['DOM_PARSER'];
        await chrome.offscreen.createDocument({ url: 'offscreen.html', reasons, justification: 'to hide' });
        return chrome.runtime.sendMessage(url);
      }`,
      `${site.origin}/hidden`,
    );
    expect(reached).toBe('refused');
    expect(asked('/hidden')).toBe(false);
    await under(localhost);
  });

  test('has none of the commands that were not asked for', async () => {
    const names = ['proxy', 'debugger', 'privacy', 'management.getAll', 'downloads', 'userScripts'];
    expect(
      await inWorker(
        `(names) => names.filter((name) => name.split('.').reduce((at, part) => at?.[part], chrome) !== undefined)`,
        names,
      ),
    ).toEqual([]);
    expect(await inWorker(`() => typeof chrome.runtime.connectNative`)).toBe('undefined');
  });

  test('closes and opens tabs within the limits of its browser, which stays usable', async () => {
    await inWorker(`async () => {
      for (let n = 0; n < 5; n++) await chrome.tabs.create({ url: 'about:blank' });
      const tabs = await chrome.tabs.query({});
      await chrome.tabs.remove(tabs.slice(1).map(({ id }) => id));
      // After its answer, which would go down with it.
      setTimeout(() => chrome.runtime.reload());
    }`);
    const { resultOf } = scriptClient(server, id);
    expect(
      await resultOf(`const mine = await context.newPage();
        await mine.goto('${site.origin}/after');
        return mine.url()`),
    ).toBe(`${site.origin}/after`);
  });

  test('finds no files where Chromium has no box, also after a resume', async () => {
    await using unboxed = await startServer({ BROWSERD_ISOLATION: 'process', BROWSERD_LAUNCH_TIMEOUT: '2m' });
    const { api } = unboxed;
    const { body: extension } = await uploadExtension(api, extensionZip(hostile));
    const { body: browser } = await api.create({ extensions: [extension.id] });
    const files = () =>
      scriptClient(unboxed, browser.id).resultOf(`${withWorker(extension.chromiumId, 'page.html')}
        return worker.evaluate(async () => [
          await fetch('file:///etc/passwd').then(() => 'read', () => 'refused'),
          await chrome.tabs.create({ url: 'file:///etc/passwd' }).then(() => 'opened', () => 'refused'),
        ])`);
    expect(await files()).toEqual(['refused', 'refused']);
    await api.stop(browser.id);
    expect((await api.resume(browser.id)).status).toBe(200);
    expect(await files()).toEqual(['refused', 'refused']);
    expect((await api.remove(browser.id)).status).toBe(200);
  });
});
