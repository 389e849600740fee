import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../src/chromium/start/find.ts';
import { extensionZip, uploadExtension } from '../support/extensions.ts';
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

const local = { policy: { privateAccess: { localhost: true } } };

describe.runIf(full)('a browser with an extension', () => {
  let server: TestServer;
  let site: Site;
  let extension: { id: string; chromiumId: string };
  let id: string;

  beforeAll(async () => {
    site = await startSite();
    server = await startServer();
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
});
