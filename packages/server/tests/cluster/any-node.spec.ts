import { createHash, randomBytes } from 'node:crypto';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cdpPath, connectWithKey, keyHeader } from '../support/cdp-client.ts';
import { startCluster, type TestCluster, type TestNode } from '../support/cluster.ts';
import { followEvents } from '../support/event-client.ts';
import { download, named, upload } from '../support/file-client.ts';
import { filesIn, processesOf } from '../support/leaks.ts';
import { liveCapability, watch } from '../support/live-client.ts';
import { eventually } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** A browser is asked for at a node that does not hold it, in every way there is. */
let cluster: TestCluster;
let site: Site;
let home: TestNode;
let other: TestNode;
let id: string;
/** The third has room for one. */
const each = (index: number) => (index === 2 ? { BROWSERD_MAX_BROWSERS: '1' } : {});
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  [cluster, site] = await Promise.all([startCluster({ nodes: 3, each }), startSite()]);
  home = cluster.nodes[0] as TestNode;
  id = (await home.api.create({ policy })).body.id;
  expect(await cluster.holderOf(id)).toBe(home);
  other = cluster.nodes[1] as TestNode;
});
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]();
  await site?.close();
});

const execute = (node: TestNode, code: string, browser = id) =>
  node.api.call('POST', `/v1/browsers/${browser}/script/execute`, { body: { code } });

describe('through a node that does not hold it', () => {
  test('Playwright connects over CDP', async () => {
    const browser = await chromium.connectOverCDP(`${other.api.url}${cdpPath(id)}`, keyHeader(other.api));
    const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage();
    await page.goto(`${site.origin}/other`);
    expect(await page.title()).toBe('other');
    expect((await page.screenshot()).length).toBeGreaterThan(1000);
    await page.close();
    await browser.close();
  });

  test('Puppeteer connects', async () => {
    const address = `${other.api.url.replace(/^http/, 'ws')}${cdpPath(id)}`;
    const browser = await puppeteer.connect({ browserWSEndpoint: address, ...keyHeader(other.api) });
    const page = await browser.newPage();
    await page.goto(`${site.origin}/other`);
    expect(await page.title()).toBe('other');
    await page.close();
    await browser.disconnect();
  });

  test('large messages go both ways', async () => {
    const client = await connectWithKey(other.api, id);
    const session = await client.attach();
    const long = 'x'.repeat(1024 ** 2);
    const expression = `${JSON.stringify(long)}.length + '${long}'`;
    const { result } = await client.send('Runtime.evaluate', { expression, returnByValue: true }, session);
    expect(result.value.length).toBe(long.length + String(long.length).length);
    client.socket.close();
  });

  test('a person watches and controls', async () => {
    const { socketUrl } = await liveCapability(other.api, id, 'control');
    expect(new URL(socketUrl).host).toBe(new URL(other.api.url).host);
    const viewer = await watch(socketUrl);
    await expect.poll(() => viewer.frames.length).toBeGreaterThan(0);
    viewer.say({ type: 'visit', url: `${site.origin}/other` });
    await expect
      .poll(() =>
        viewer.told.some(({ tabs }) => tabs?.some((tab: { title: string }) => tab.title === 'other')),
      )
      .toBe(true);
    viewer.close();
  });

  test('events are followed', async () => {
    await using events = await followEvents(other.api, `/v1/browsers/${id}/events`);
    await home.api.patch(id, { name: 'seen' });
    await execute(home, 'return 1');
    await events.until(({ event }) => event !== undefined && event !== 'end');
  });

  test('the logs of a script come as they are written', async () => {
    const response = await fetch(`${other.api.url}/v1/browsers/${id}/script/execute`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other.api.key}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        code: `console.log('first'); await page.goto('${site.origin}/gate'); return 'done'`,
        timeoutMs: 120_000,
      }),
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The stream ended without ${part}: ${text}`);
        text += Buffer.from(value).toString();
      }
    };
    // The script goes on only when its first line has been read here.
    await until('first');
    site.openGate();
    await until('done');
  });

  test('a large file arrives whole, and any node reads it, also in part', async () => {
    const piece = randomBytes(1024 ** 2);
    const hash = createHash('sha256');
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let n = 0; n < 100; n++) {
        hash.update(piece);
        yield piece;
      }
    }
    const { status, body } = await upload(other.api, id, named('large.bin'), { body: pieces() });
    expect([status, body.size]).toEqual([201, 100 * 1024 ** 2]);
    expect(body.sha256).toBe(hash.digest('hex'));
    for (const node of cluster.nodes) {
      const part = await download(node.api, id, body.id, { headers: { range: 'bytes=1048570-1048581' } });
      expect(part.status).toBe(206);
      const expected = Buffer.concat([piece.subarray(-6), piece.subarray(0, 6)]);
      expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true);
    }
    await other.api.call('DELETE', `/v1/browsers/${id}/files/${body.id}`);
  });

  test('an MCP client acts on it', async () => {
    const response = await fetch(`${other.api.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${other.api.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'browser_run', arguments: { browserId: id, code: 'return 6 * 7' } },
      }),
    });
    expect(await response.text()).toContain('42');
  });

  test('a profile is made of its state', async () => {
    await execute(home, `await context.addCookies([{ name: 'kept', value: '1', url: '${site.origin}' }])`);
    const made = await other.api.call('POST', '/v1/profiles', {
      body: { name: 'from-afar', browserId: id },
      headers: { 'idempotency-key': 'profile' },
    });
    expect([made.status, made.body.browserId ?? id]).toEqual([201, id]);
  });

  test('a policy that was changed holds for the next connection', async () => {
    const { body } = await home.api.create({ policy });
    expect((await execute(home, `await page.goto('${site.origin}/')`, body.id)).body.success).toBe(true);
    const changed = await other.api.patch(body.id, { policy: { ...policy, blockedDomains: ['127.0.0.1'] } });
    expect(changed.status).toBe(200);
    const { body: refused } = await execute(home, `await page.goto('${site.origin}/other')`, body.id);
    expect(refused).toMatchObject({ success: false, error: { code: 'POLICY_BLOCKED' } });
    await home.api.remove(body.id);
  });

  test('closing it leaves nothing of it', async () => {
    const { body } = await home.api.create({ policy });
    const beats = `setInterval(() => fetch('/beat'), 50)`;
    await execute(home, `await page.goto('${site.origin}/'); await page.evaluate("${beats}; 0")`, body.id);
    const count = () => site.requests.filter(({ url }) => url.startsWith('/beat')).length;
    await expect.poll(count).toBeGreaterThan(2);
    const ofOthers = processesOf(home.folders.scratchDir).length;
    const closed = await other.api.remove(body.id);
    expect(closed.body).toMatchObject({ status: 'closed', receipt: { processesEnded: expect.any(Number) } });
    expect(closed.body.receipt.processesEnded).toBeGreaterThan(0);
    const after = count();
    expect(processesOf(home.folders.scratchDir).length).toBeLessThan(ofOthers);
    expect((await filesIn(home.folders.scratchDir)).filter((name) => name.includes(body.id))).toEqual([]);
    // Anything that still ran would have asked by the time that another browser has.
    expect((await execute(home, `await page.goto('${site.origin}/other')`)).body.success).toBe(true);
    expect(count()).toBe(after);
  });

  test('many are closed with one call, whichever node holds them', async () => {
    const made = await Promise.all(
      cluster.nodes.map(async (node) => (await node.api.create({ metadata: { group: 'many' } })).body.id),
    );
    const holders = new Set(await Promise.all(made.map((each) => cluster.holderOf(each))));
    expect(holders.size).toBeGreaterThan(1);
    const closed = await other.api.call('POST', '/v1/browsers/close', {
      body: { metadata: { group: 'many' } },
      headers: { 'idempotency-key': 'many' },
    });
    expect(closed.body.failed).toEqual([]);
    const receipts: { id: string; receipt: { processesEnded: number } }[] = closed.body.closed;
    expect(receipts.map((each) => each.id).sort()).toEqual(made.sort());
    for (const { receipt } of receipts) expect(receipt.processesEnded).toBeGreaterThan(0);
  });
});

test('equal creates over all nodes make one browser', async () => {
  const headers = { 'idempotency-key': 'the same everywhere' };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => cluster.nodes[n % 3]?.api.create({ name: 'one' }, headers)),
  );
  const bodies = answers.map((answer) => JSON.stringify(answer?.body));
  expect(new Set(bodies).size).toBe(1);
  expect(answers.map((answer) => answer?.status)).toEqual(Array(20).fill(201));
  expect(answers.filter((answer) => answer?.headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
  await home.api.remove(answers[0]?.body.id);
});

test('what a full node is asked to make is made by another', async () => {
  const small = cluster.nodes[2] as TestNode;
  const first = (await small.api.create()).body.id;
  expect(await cluster.holderOf(first)).toBe(small);
  const second = await small.api.create({ name: 'second' });
  expect([second.status, second.body.name]).toEqual([201, 'second']);
  expect(await cluster.holderOf(second.body.id)).not.toBe(small);
  const scraped = await small.api.call('POST', '/v1/scrape', { body: { html: '<h1>Made elsewhere</h1>' } });
  expect([scraped.status, scraped.body.content]).toEqual([200, expect.stringContaining('Made elsewhere')]);
  await Promise.all([first, second.body.id].map((each) => small.api.remove(each)));
});

test('a holder that cannot be reached keeps its browser; the caller is told to repeat the call', async () => {
  const before = (await home.api.get(id)).body;
  // Other nodes know its address from the database.
  await cluster.sql('update nodes set address = $1 where address = $2', ['127.0.0.1:1', home.address]);
  const refused = await eventually(
    () => execute(other, 'return 1'),
    ({ status }) => status !== 200,
  );
  expect([refused.status, refused.body.error]).toMatchObject([503, { code: 'NODE_LOST', nextStep: 'retry' }]);
  expect((await execute(home, 'return 1')).body.result).toBe(1);
  await cluster.sql('update nodes set address = $2 where address = $1', ['127.0.0.1:1', home.address]);
  await eventually(
    () => execute(other, 'return 2'),
    ({ status }) => status === 200,
  );
  expect((await home.api.get(id)).body).toMatchObject({ epoch: before.epoch, status: 'ready' });
  expect(await cluster.holderOf(id)).toBe(home);
});
