import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bare, connectWithKey } from '../support/cdp-client.ts';
import { makeKey } from '../support/keys.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** One element has one reference: in observations, scripts, computer use and CDP, for every caller and however often it asks. */
let server: TestServer;
let site: Site;
let id: string;

const desk = `<!doctype html><title>Desk</title><style>body{margin:0} #press{position:absolute;left:20px;top:20px;width:100px;height:30px}</style>
  <button id="press" onclick="document.title = 'pressed'">Press</button>
  <div id="box" style="position:absolute;left:20px;top:80px;width:100px;height:30px">Box</div>
  <iframe id="same" src="/inner" style="position:absolute;left:200px;top:0;border:0;width:200px;height:100px"></iframe>
  <iframe id="other" style="position:absolute;left:200px;top:120px;border:0;width:200px;height:100px"></iframe>
  <script>box.addEventListener('click', () => { document.title = 'box' });
    other.src = 'http://localhost:' + location.port + '/inner?other'</script>`;
const inner = `<!doctype html><style>body{margin:0}</style>
  <button style="width:100px;height:30px" onclick="this.textContent = 'done'"></button>
  <script>document.querySelector('button').textContent = location.search ? 'Other' : 'Same'</script>`;

beforeAll(async () => {
  site = await startSite({ '/desk': desk, '/inner': inner });
  server = await startServer();
  id = (await server.api.create({ policy: { privateAccess: { localhost: true } } })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const scripts: ScriptClient['resultOf'] = (...call) => scriptClient(server, id).resultOf(...call);
const observed = async (): Promise<string> =>
  (await server.api.call('POST', `/v1/browsers/${id}/observe`, { body: {} })).body.content;
const refIn = (content: string, what: string): string =>
  new RegExp(`${what} \\[ref=(\\w+)\\]`).exec(content)?.[1] ?? '';
const refOf = async (what: string): Promise<string> => refIn(await observed(), what);

beforeEach(async () => {
  await scripts('await page.goto(args)', { args: `${site.origin}/desk` });
  await expect.poll(observed).toContain('button "Other"');
});

describe('in scripts', () => {
  test('an element that only listens is pressed by its reference, as is one in a frame of any process', async () => {
    const content = await observed();
    await scripts(`await page.locator('aria-ref=${refIn(content, '"Box"')}').click()`);
    expect(await scripts('return page.title()')).toBe('box');
    for (const name of ['Same', 'Other']) {
      const ref = refIn(content, `button "${name}"`);
      expect(ref).toMatch(/^f\d+e\d+$/);
      await scripts(`await page.locator('aria-ref=${ref}').click()`);
      expect(await scripts(`return page.locator('aria-ref=${ref}').textContent()`)).toBe('done');
    }
  });

  test('they hold for another key, which another runner serves', async () => {
    const ref = await refOf('button "Press"');
    const key = await makeKey(server.dataDir, { project: 'default', role: 'member' });
    const { body } = await server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: { code: `return page.locator('aria-ref=${ref}').evaluateAll((all) => all.map(({ id }) => id))` },
      headers: { authorization: `Bearer ${key}` },
    });
    expect(body.result).toEqual(['press']);
    expect(await refOf('button "Press"')).toBe(ref);
  });

  test('one whose element or page is gone is not found, and finds nothing else', async () => {
    const content = await observed();
    const [press, other] = [refIn(content, 'button "Press"'), refIn(content, 'button "Other"')];
    await scripts(`await page.evaluate(() => { press.outerHTML = press.outerHTML })`);
    await scripts(`await page.locator('#other').evaluate((frame) => frame.remove())`);
    for (const ref of [press, other, 'f99e1', 'e99999']) {
      const code = `await page.locator('aria-ref=${ref}').click({ timeout: 300 })`;
      const error = await scriptClient(server, id).errorOf(code);
      expect(error).toMatchObject({ code: 'SELECTOR_NOT_FOUND', details: { candidates: expect.any(Array) } });
    }
    const before = await refOf('button "Press"');
    await scripts('await page.reload()');
    expect(await refOf('button "Press"')).not.toBe(before);
    expect(await scripts(`return page.locator('aria-ref=${before}').count()`)).toBe(0);
  });

  test('those of a snapshot that the script takes itself come first in that call', async () => {
    const ours = await refOf('button "Press"');
    const found = await scripts(`const tree = await page.ariaSnapshot({ mode: 'ai' });
      const refs = [...tree.matchAll(/button "(\\w+)" \\[ref=(\\w+)\\]/g)];
      const texts = [];
      for (const [, name, ref] of refs) texts.push([name, await page.locator('aria-ref=' + ref).textContent()]);
      return texts`);
    expect(found).toEqual(expect.arrayContaining([['Press', 'Press']]));
    for (const [name, text] of found as string[][]) expect(text).toBe(name);
    expect(await scripts(`return page.locator('aria-ref=${ours}').textContent()`)).toBe('Press');
  });
});

describe('in computer use', () => {
  test.each([
    ['button "Press"', 40, 35],
    ['"Box"', 40, 95],
    ['button "Same"', 240, 15],
    ['button "Other"', 240, 135],
  ])('what lies at a place has the reference of the observation: %s', async (what, x, y) => {
    const ref = await refOf(what);
    const { body } = await server.api.call('POST', `/v1/browsers/${id}/computer`, {
      body: { actions: { type: 'move', x, y }, refs: true },
    });
    expect(body.actions[0].hit.ref).toBe(ref);
  });
});

describe('over CDP', () => {
  let client: Bare;
  beforeEach(async () => {
    client = await connectWithKey(server.api, id);
  });

  test('a client turns a reference into a node', async () => {
    const ref = await refOf('button "Press"');
    const session = await client.attach();
    const { backendNodeId, frameId } = await client.send('Browserd.resolveRef', { ref }, session);
    const { node } = await client.send('DOM.describeNode', { backendNodeId }, session);
    expect(node.attributes).toEqual(expect.arrayContaining(['id', 'press']));
    expect(frameId).toEqual(expect.any(String));
    client.socket.close();
  });

  test('and is told where nothing has it, or what is asked is no reference', async () => {
    const session = await client.attach();
    const ask = (params: object, at?: string) => client.send('Browserd.resolveRef', params, at);
    await expect(ask({ ref: 'e99999' }, session)).rejects.toThrow(
      'No element of the page has the reference e99999',
    );
    await expect(ask({ ref: 'document.title' }, session)).rejects.toThrow('No element');
    await expect(ask({ ref: 12 }, session)).rejects.toThrow("'ref' must be a reference");
    await expect(ask({ ref: 'e1' })).rejects.toThrow('in the session of a page');
    client.socket.close();
  });
});
