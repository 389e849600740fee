import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { extensionZip, uploadExtension, withWorker } from '../support/extensions.ts';
import { chromiumOf, filesBelow, profileOf } from '../support/leaks.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const { full } = await findChromium({ chromiumPath: null, env: process.env });

/** Everything that an honest extension does, in one: the specs ask its popup page for the rest. */
const honest = {
  manifest: {
    name: 'Honest',
    permissions: ['storage', 'tabs', 'declarativeNetRequest', 'scripting'],
    host_permissions: ['<all_urls>'],
    background: { service_worker: 'worker.js' },
    action: { default_popup: 'popup.html' },
    content_scripts: [{ matches: ['http://*/*'], js: ['content.js'], run_at: 'document_start' }],
    declarative_net_request: { rule_resources: [{ id: 'ads', enabled: true, path: 'ads.json' }] },
  },
  files: {
    'worker.js': `chrome.runtime.onMessage.addListener((message, sender, answer) => {
      chrome.storage.local.get({ count: 0 }).then(async ({ count }) => {
        await chrome.storage.local.set({ count: count + 1 });
        answer({ said: message, count: count + 1 });
      });
      return true;
    })`,
    'content.js': `chrome.runtime.sendMessage('from the page').then((answer) => {
      document.documentElement.dataset.extension = JSON.stringify(answer);
    })`,
    'popup.html': '<!doctype html><title>The popup</title><p>Hello</p><script src="popup.js"></script>',
    'popup.js': 'document.body.dataset.id = chrome.runtime.id',
    'ads.json': JSON.stringify([
      { id: 1, action: { type: 'block' }, condition: { urlFilter: '/echo?advert' } },
    ]),
  },
};

/** For what Chromium does in its own time. */
const patient = { timeout: 100_000, interval: 100 };
const stored = `async () => [(await chrome.storage.local.get('kept')).kept, await chrome.extension.isAllowedFileSchemeAccess()]`;
const local = { policy: { privateAccess: { localhost: true } } };

describe.runIf(full)('a browser with an extension', () => {
  let server: TestServer;
  let site: Site;
  let extension: { id: string; chromiumId: string };
  let id: string;

  beforeAll(async () => {
    site = await startSite();
    // All of Chromium may take long to come up beside other specs.
    server = await startServer({ BROWSERD_LAUNCH_TIMEOUT: '2m' });
    const uploaded = await uploadExtension(server.api, extensionZip(honest));
    expect(uploaded).toMatchObject({ status: 201, body: { name: 'Honest', popup: 'popup.html' } });
    extension = uploaded.body;
    const created = await server.api.create({ ...local, extensions: [extension.id] });
    expect(created).toMatchObject({ status: 201, body: { engine: 'full', extensions: [extension.id] } });
    id = created.body.id;
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await site.close();
  });

  const evaluateIn = (where: 'popup' | 'worker', code: string) =>
    scriptClient(server, id).resultOf(
      where === 'worker'
        ? `${withWorker(extension.chromiumId, 'popup.html')}
           return worker.evaluate(${code})`
        : `const popup = await context.newPage();
           await popup.goto('chrome-extension://${extension.chromiumId}/popup.html');
           try { return await popup.evaluate(${code}) } finally { await popup.close() }`,
    );
  const tabs = async (): Promise<{ tabId: string; url: string; title: string }[]> =>
    (await server.api.call('GET', `/v1/browsers/${id}/tabs`)).body.items;

  test('runs its content script, which talks to its service worker', async () => {
    const client = scriptClient(server, id);
    expect(
      await client.resultOf(`
        await page.goto('${site.origin}/');
        const marked = page.locator('html[data-extension]');
        await marked.waitFor({ state: 'attached' });
        return JSON.parse(await marked.getAttribute('data-extension'));`),
    ).toEqual({ said: 'from the page', count: expect.any(Number) });
  });

  test('blocks what the rules of the extension block, and no more', async () => {
    const { resultOf } = scriptClient(server, id);
    await resultOf(`
      await page.goto('${site.origin}/');
      await page.evaluate(() => Promise.allSettled([fetch('/echo?advert'), fetch('/echo?news')]));`);
    const asked = site.requests.map(({ url }) => url).filter((url) => url.startsWith('/echo'));
    expect(asked).toEqual(['/echo?news']);
  });

  test('shows the popup page of the extension in a tab', async () => {
    const url = `chrome-extension://${extension.chromiumId}/popup.html`;
    const opened = await server.api.call('POST', `/v1/browsers/${id}/tabs`, { body: { url } });
    expect(opened).toMatchObject({ status: 201, body: { url, title: 'The popup' } });
    const ids = await scriptClient(server, id).resultOf(`
      const popup = context.pages().find((page) => page.url() === '${url}');
      return popup.evaluate(() => [document.body.dataset.id, chrome.runtime.id])`);
    expect(ids).toEqual([extension.chromiumId, extension.chromiumId]);
    const { tabId } = opened.body;
    const picture = await server.api.call('POST', `/v1/browsers/${id}/screenshot`, { body: { tabId } });
    expect(picture.status).toBe(200);
    await server.api.call('DELETE', `/v1/browsers/${id}/tabs/${tabId}`);
  });

  test('shows its worker to CDP clients, and gives them no command for extensions', async () => {
    const { resultOf } = scriptClient(server, id);
    expect(await evaluateIn('worker', '() => self.location.pathname')).toBe('/worker.js');
    expect(
      await resultOf(`
        const cdp = await context.browser().newBrowserCDPSession();
        const commands = ['getExtensions', 'loadUnpacked', 'uninstall', 'getStorageItems', 'triggerAction'];
        const told = await Promise.all(commands.map((name) => cdp.send('Extensions.' + name, {}).then(
          () => 'done', (error) => /is not allowed here/.test(error.message) ? 'refused' : error.message)));
        return [...new Set(told)]`),
    ).toEqual(['refused']);
  });

  test('opens no page of an extension that is not its own', async () => {
    // The viewer of PDF files, which is in every Chromium.
    const url = 'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html';
    expect(await server.api.call('POST', `/v1/browsers/${id}/tabs`, { body: { url } })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: 'url' }] } } },
    });
    const { message } = await scriptClient(server, id).errorOf(`await page.goto('${url}')`);
    expect(message).toContain('not allowed here');
  });

  test('gives it neither files, nor incognito windows, nor pages of Chromium', async () => {
    const seen = await evaluateIn(
      'popup',
      `async () => {
        const of = (work) => work.then((value) => value, ({ message }) => message);
        return {
          files: await of(chrome.extension.isAllowedFileSchemeAccess()),
          read: await of(fetch('file:///etc/passwd').then(() => 'read')),
          tab: await of(chrome.tabs.create({ url: 'file:///etc/passwd' })),
          source: await of(chrome.tabs.create({ url: 'view-source:file:///etc/passwd' })),
          window: await of(chrome.windows.create({ incognito: true })),
          settings: await of(chrome.tabs.create({ url: 'chrome://settings/' }).then(() => 'opened')),
        };
      }`,
    );
    expect(seen).toEqual({
      files: false,
      read: 'Failed to fetch',
      tab: expect.stringContaining('without local file access'),
      source: expect.stringContaining('without local file access'),
      window: expect.stringContaining('Incognito mode is disabled'),
      settings: 'opened',
    });
    await expect
      .poll(async () => (await tabs()).map(({ url }) => url), patient)
      .not.toContainEqual(expect.stringMatching(/^(chrome|file):/));
  });

  test('has an empty tab in place of its only one, which the extension led to a page of Chromium', async () => {
    await evaluateIn(
      'worker',
      `async () => {
        const [first, ...others] = await chrome.tabs.query({});
        await chrome.tabs.remove(others.map(({ id }) => id));
        await chrome.tabs.update(first.id, { url: 'chrome://version/' });
      }`,
    );
    await expect.poll(async () => (await tabs()).map(({ url }) => url), patient).toEqual(['about:blank']);
    expect((await server.api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  });

  test('has it with what it stored, and its page in a tab, after a stop and a resume', async () => {
    const { api } = server;
    const url = `chrome-extension://${extension.chromiumId}/popup.html`;
    await evaluateIn(
      'popup',
      `async () => {
        await chrome.storage.local.set({ kept: 'over the stop' });
        const rule = { id: 7, action: { type: 'block' }, condition: { urlFilter: '/echo?made' } };
        await chrome.declarativeNetRequest.updateDynamicRules({ addRules: [rule] });
      }`,
    );
    await api.call('POST', `/v1/browsers/${id}/tabs`, { body: { url } });
    expect((await api.stop(id)).status).toBe(200);
    const refused = await api.call('DELETE', `/v1/extensions/${extension.id}`);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'EXTENSION_IN_USE', details: { browserId: id } } },
    });
    expect((await api.resume(id)).status).toBe(200);
    await expect.poll(async () => (await tabs()).map((tab) => tab.url), patient).toContain(url);
    expect(await evaluateIn('popup', stored)).toEqual(['over the stop', false]);
    expect(
      await evaluateIn(
        'popup',
        '() => chrome.declarativeNetRequest.getDynamicRules().then((rules) => rules.map(({ id }) => id))',
      ),
    ).toEqual([7]);
  });

  test('has it again after its Chromium crashed', async () => {
    await evaluateIn('popup', `() => chrome.storage.local.set({ kept: 'over the crash' })`);
    const { epoch } = (await server.api.get(id)).body;
    process.kill(chromiumOf(profileOf(server.scratchDir, id))[0] as number, 'SIGKILL');
    await expect
      .poll(async () => (await server.api.get(id)).body, patient)
      .toMatchObject({ status: 'ready', epoch: epoch + 1 });
    expect(await evaluateIn('popup', stored)).toEqual(['over the crash', false]);
  });

  test('is the only one that has it', async () => {
    const { body: plain } = await server.api.create({ ...local, engine: 'full' });
    const seen = await scriptClient(server, plain.id).resultOf(`
      await page.goto('${site.origin}/');
      return [context.serviceWorkers().length, await page.evaluate(() => document.documentElement.dataset.extension ?? 'none')]`);
    expect(seen).toEqual([0, 'none']);
    await server.api.remove(plain.id);
  });

  test('keeps secrets out of pages that it could read', async () => {
    const { api } = server;
    await api.call('POST', '/v1/secrets', {
      body: { name: 'shop/password', value: 'correct horse', origins: [site.origin] },
    });
    const { code, message } = await scriptClient(server, id).errorOf(`
      await page.goto('${site.origin}/');
      await page.evaluate(() => { document.body.innerHTML = '<input type="password">' });
      await secrets.fill(page.locator('input'), 'shop/password');`);
    expect({ code, message }).toMatchObject({
      code: 'SECRET_CLIENT_ATTACHED',
      message: expect.stringContaining('extensions'),
    });
  });

  test('lets go of it when it is closed', async () => {
    const { api } = server;
    expect((await api.remove(id)).status).toBe(200);
    expect(await api.call('DELETE', `/v1/extensions/${extension.id}`)).toMatchObject({
      status: 200,
      body: { id: extension.id, deleted: true },
    });
    expect(await api.create({ extensions: [extension.id] })).toMatchObject({
      status: 404,
      body: { error: { code: 'EXTENSION_NOT_FOUND' } },
    });
    expect(await filesBelow(join(server.dataDir, 'blobs'))).not.toContain(extension.id);
  });
});
