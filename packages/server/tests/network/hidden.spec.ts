import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type NetworkClient, networkClient } from '../support/network-client.ts';
import { type NetworkSite, opening, opensPath, startNetworkSite } from '../support/network-site.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { entriesOf, eventsIn } from '../support/trace-client.ts';
import { unzip } from '../support/zip.ts';

/** What opens something (tokens in addresses, credentials in headers, passwords in forms) is in nothing that is kept of a visit. */
let server: TestServer;
let site: NetworkSite;
let browser: NetworkClient;
// biome-ignore lint/suspicious/noExplicitAny: the answer of the call
let answer: any;
beforeAll(async () => {
  site = await startNetworkSite();
  server = await startServer();
  browser = await networkClient(server);
  const code = `await page.goto(args.url);
    await page.waitForFunction(() => document.title === 'opened', undefined, { timeout: 90000 });
    console.log('now at', page.url());
    await page.goto('http://127.0.0.1:2/?token=' + args.failed)`;
  answer = await browser.execute(code, {
    trace: true,
    capture: { bundle: 'error', network: true, activity: true },
    args: { url: site.origin + opensPath, failed: opening.failed },
    timeoutMs: 110_000,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const shownIn = (text: string): string[] => Object.values(opening).filter((value) => text.includes(value));

describe('what opens something', () => {
  test('is not in the log, nor in the answer of a call that captures it', async () => {
    const { body } = await browser.list('?limit=100');
    expect(body.items.length).toBeGreaterThan(8);
    expect(shownIn(JSON.stringify(body))).toEqual([]);
    expect(shownIn(JSON.stringify(answer.body.network))).toEqual([]);
    const details = await Promise.all(
      body.items.map(({ id }: { id: string }) => browser.detail(id).then((each) => each.body)),
    );
    expect(shownIn(JSON.stringify(details))).toEqual([]);
    const referers = JSON.stringify(details).match(/opens\?access_token=\*\*\*/g);
    expect(referers?.length).toBeGreaterThan(1);
  });

  test.each(['none', 'text', 'all'])('is not in a HAR with bodies: %s', async (bodies) => {
    const har = JSON.stringify(await browser.har({ bodies }));
    expect(har).toContain('/opens.js?sig=***');
    expect(har).toContain('/tiny?session=***#id_token=***');
    expect(shownIn(har)).toEqual([]);
  });

  test('is in a HAR that an admin asked to reveal it', async () => {
    const har = JSON.stringify(await browser.har({ bodies: 'all', reveal: true }));
    // The document is gone, and with it the bodies that Chromium had.
    const gone = [opening.form, opening.answer];
    expect(shownIn(har)).toEqual(
      expect.arrayContaining(Object.values(opening).filter((each) => !gone.includes(each))),
    );
  });

  test('is in no part of a trace', async () => {
    const entries = await entriesOf(server.api, browser.id, answer.body.trace);
    for (const [name, data] of entries) expect([name, ...shownIn(data.toString('latin1'))]).toEqual([name]);
    const requests = eventsIn(entries, 'trace.network');
    expect(JSON.stringify(requests)).toMatch(/opens-data\?code=\*\*\*\d/);
    const picture = /\/picture\?token=\*\*\*\d+/.exec(JSON.stringify(requests))?.[0] ?? 'missing';
    const snapshots = eventsIn(entries).filter(({ type }) => type === 'frame-snapshot');
    expect(JSON.stringify(snapshots)).toContain(picture);
  });

  test('is in no part of a bundle', async () => {
    const entries = await entriesOf(server.api, browser.id, answer.body.bundle);
    expect([...entries.keys()]).toEqual(
      expect.arrayContaining(['logs.txt', 'error.json', 'activity.json', 'console.json', 'network.har']),
    );
    expect(entries.get('logs.txt')?.toString()).toContain('/opens?access_token=***');
    const inside = unzip(entries.get('trace.zip') as Buffer);
    for (const [name, data] of [...entries, ...inside])
      expect([name, ...shownIn(data.toString('latin1'))]).toEqual([name]);
    for (const name of ['call.json', 'error.json', 'activity.json', 'console.json', 'network.har'])
      expect(() => JSON.parse(entries.get(name)?.toString() ?? ''), name).not.toThrow();
  });
});
