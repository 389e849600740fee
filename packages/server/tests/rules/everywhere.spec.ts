import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { capability } from '../support/cdp-client.ts';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { type RulesSite, startRulesSite } from '../support/rules-site.ts';
import { scriptClient } from '../support/script-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: RulesSite;
beforeAll(async () => {
  site = await startRulesSite();
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const open = { privateAccess: { localhost: true } };
const block = { match: { url: '*/asked/*' }, do: { action: 'block' } };
const patient = { timeout: 90_000, interval: 50 };
const asked = (): string[] => site.seen.filter((each) => each.includes('/asked/'));

/** All the ways in which the page of the site asks, as many as there are. */
const ways = [
  ...[
    'style',
    'image',
    'script',
    'frame',
    'worker',
    'fetch',
    'beacon',
    'xhr',
    'events',
    'popup',
    'redirected',
  ],
  ...['from-worker', 'imported', 'from-shared', 'from-service'],
  ...['in-frame'],
];

describe.each(['shell', 'full'])('in the engine %s', (engine) => {
  test('a rule holds for pages, frames, popups, workers and redirects from their first request on', async () => {
    const startUrl = site.at('shop', '/everything');
    site.seen.length = 0;
    const { body } = await server.api.create({ engine, policy: open, startUrl });
    await vi.waitFor(() => {
      for (const way of ways) expect(asked().join()).toContain(`/asked/${way}`);
    }, patient);
    await server.api.remove(body.id);

    site.seen.length = 0;
    const { body: ruled } = await server.api.create({
      engine,
      policy: { ...open, rules: ways.map((way) => ({ ...block, match: { url: `*/asked/${way}` } })) },
      startUrl,
    });
    await vi.waitFor(async () => {
      const hits: number[] = (await server.api.get(ruled.id)).body.ruleHits.rules;
      expect(ways.filter((_, n) => !hits[n])).toEqual([]);
    }, patient);
    expect(asked()).toEqual([]);
    await server.api.remove(ruled.id);
  });

  test('rules that come while pages are open hold there at once', async () => {
    const { body } = await server.api.create({
      engine,
      policy: open,
      startUrl: site.at('shop', '/everything'),
    });
    const browser = await chromium.connectOverCDP(await capability(server.api, body.id));
    const page = browser
      .contexts()[0]
      ?.pages()
      .find((each) => each.url().endsWith('/everything'));
    const answers = () =>
      page?.evaluate(`(async () => {
        const say = (url) => fetch(url).then((answer) => answer.text(), () => 'failed');
        const worker = new Worker(URL.createObjectURL(new Blob(["onmessage = ({ data }) => fetch(data).then((answer) => answer.text(), () => 'failed').then(postMessage)"])));
        globalThis.kept ??= worker;
        const inWorker = new Promise((resolve) => { kept.onmessage = ({ data }) => resolve(data) });
        kept.postMessage(location.origin + '/x');
        return [await say('/x'), await inWorker];
      })()`);
    expect(await answers()).toEqual(['here is shop /x', 'here is shop /x']);
    const rules = [{ match: { url: '*/x' }, do: { action: 'respond', body: 'by a rule' } }];
    await server.api.patch(body.id, { policy: { ...open, rules } });
    expect(await answers()).toEqual(['by a rule', 'by a rule']);
    await server.api.patch(body.id, { policy: open });
    expect(await answers()).toEqual(['here is shop /x', 'here is shop /x']);
    await browser.close();
    await server.api.remove(body.id);
  });

  test('a CDP client intercepts as it likes, and rules are asked for what it lets through', async () => {
    const rules = [
      { match: { url: '*/x' }, do: { action: 'respond', body: 'by a rule' } },
      { match: { url: '*/turned' }, do: { action: 'respond', body: 'turned by a client' } },
    ];
    const { body } = await server.api.create({ engine, policy: { ...open, rules } });
    const browser = await chromium.connectOverCDP(await capability(server.api, body.id));
    const page = browser.contexts()[0]?.pages()[0];
    if (!page) throw new Error('there is no page');
    const routed: string[] = [];
    await page.route('**/*', async (route) => {
      const url = route.request().url();
      routed.push(new URL(url).pathname);
      if (url.endsWith('/own')) await route.fulfill({ body: 'by the client' });
      else if (url.endsWith('/turn')) await route.continue({ url: url.replace('/turn', '/turned') });
      else await route.continue();
    });
    await page.goto(site.at('shop', '/'));
    const say = (path: string) => page.evaluate(`fetch('${path}').then((answer) => answer.text())`);
    expect([await say('/own'), await say('/x'), await say('/turn'), await say('/y')]).toEqual([
      'by the client',
      'by a rule',
      'turned by a client',
      'here is shop /y',
    ]);
    expect(routed).toEqual(expect.arrayContaining(['/', '/own', '/x', '/turn', '/y']));
    await browser.close();
    await server.api.remove(body.id);
  });

  const refused = async (id: string) => {
    const { message } = await scriptClient(server, id).errorOf(
      `await page.goto(${JSON.stringify(site.at('shop', '/asked/again'))})`,
    );
    expect(message).toContain('ERR_BLOCKED_BY_CLIENT');
  };

  test('rules outlive a stop', async () => {
    const { body } = await server.api.create({ engine, policy: { ...open, rules: [block] } });
    await server.api.stop(body.id);
    expect((await server.api.resume(body.id)).body).toMatchObject({
      status: 'ready',
      ruleHits: { rules: [0] },
    });
    await refused(body.id);
    await server.api.remove(body.id);
  });

  test('rules outlive a crash', async () => {
    const { body } = await server.api.create({ engine, policy: { ...open, rules: [block] } });
    const { epoch } = body;
    process.kill(chromiumOf(profileOf(server.scratchDir, body.id))[0] as number, 'SIGKILL');
    await eventually(
      () => server.api.get(body.id),
      ({ body: browser }) => browser.epoch > epoch && browser.status === 'ready',
    );
    await refused(body.id);
    await server.api.remove(body.id);
  });
});
