import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, launchRig, type Pages, type RawClient, type Rig, servePages } from './mux.fixture.ts';

/** Several clients on the pipe of a real Chromium. */
let rig: Rig;
let pages: Pages;
let a: RawClient;
let b: RawClient;
beforeAll(async () => {
  rig = await launchRig(engines.at(-1));
  pages = await servePages({
    '/': '<!doctype html><title>home</title>',
    '/frames': '<!doctype html><title>frames</title><iframe src="/other-site"></iframe>',
  });
});
afterAll(async () => {
  await pages?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  [a, b] = await Promise.all([rig.client(), rig.client()]);
  return async () => {
    await Promise.all([a.close(), b.close()]);
  };
});

const evaluate = async (client: RawClient, session: string, expression: string): Promise<unknown> => {
  const params = { expression, awaitPromise: true, returnByValue: true };
  const { result } = (await client.get('Runtime.evaluate', params, session)) as unknown as {
    result: { value: unknown };
  };
  return result.value;
};

const patient = { timeout: 90_000 };

describe('ids', () => {
  test('are the client’s own, whatever integer it chose, also twice at a time', async () => {
    const ids = [0, -1, 7, 7, 2 ** 31, -(2 ** 31), Number.MAX_SAFE_INTEGER, 1_000_000_000];
    for (const id of ids) a.send(JSON.stringify({ id, method: 'Browser.getVersion' }));
    await expect.poll(() => a.heard.length, patient).toBe(ids.length);
    expect(a.heard.map(({ id }) => id)).toEqual(ids);
    for (const { result, sessionId } of a.heard) {
      expect(result).toHaveProperty('product');
      expect(sessionId).toBeUndefined();
    }
  });

  test('of one client mean nothing to another', async () => {
    const [one, two] = await Promise.all([a.page(), b.page()]);
    const answers = await Promise.all([evaluate(a, one, '"for a"'), evaluate(b, two, '"for b"')]);
    expect(answers).toEqual(['for a', 'for b']);
  });
});

describe('sessions', () => {
  test('of another client, of the service or of no session cannot be used', async () => {
    const [own, foreign] = await Promise.all([a.page(), b.page()]);
    const { sessionId: service } = await rig.chromium.cdp.send('Target.attachToTarget', {
      targetId: (await rig.chromium.cdp.send('Target.getTargets')).targetInfos[0]?.targetId ?? '',
      flatten: true,
    });
    expect(await evaluate(a, own, '1')).toBe(1);
    for (const session of [foreign, service, 'A'.repeat(32), '', own.toLowerCase(), `${own} `])
      expect(await a.ask('Runtime.evaluate', { expression: '1' }, session)).toMatchObject({
        error: { code: -32001, message: 'Session with given id not found.' },
      });
    expect(await a.ask('Target.detachFromTarget', { sessionId: foreign })).toHaveProperty('error');
    expect(await evaluate(b, foreign, '2')).toBe(2);
  });

  test('tell their events to the client that opened them alone, and not to the service', async () => {
    const toService: (string | undefined)[] = [];
    const off = rig.chromium.cdp.on('Runtime.consoleAPICalled', (_, sessionId) => toService.push(sessionId));
    const [one, two] = await Promise.all([a.page(), b.page()]);
    await a.get('Runtime.enable', {}, one);
    await evaluate(b, two, 'console.log("hello")');
    await expect
      .poll(() => a.heard.some(({ method }) => method === 'Runtime.consoleAPICalled'), patient)
      .toBe(true);
    expect(
      a.heard.every(({ method, sessionId }) => !method?.startsWith('Runtime.') || sessionId === one),
    ).toBe(true);
    expect(b.heard.some(({ method }) => method?.startsWith('Runtime.'))).toBe(false);
    expect(toService).toEqual([]);
    off();
  });

  test('look like the root where they are the client’s own browser session', async () => {
    await a.get('Target.setDiscoverTargets', { discover: true });
    await a.get('Target.createTarget', { url: 'about:blank' });
    const created = a.heard.find(({ method }) => method === 'Target.targetCreated');
    expect(created).toBeDefined();
    expect(created?.sessionId).toBeUndefined();
  });

  test('of frames and workers open by themselves below a page, and close with it', async () => {
    const targets = a.next(({ method }) => method === 'Target.attachedToTarget');
    await a.get('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
    await targets;
    const { targetId } = await a.get('Target.createTarget', { url: 'about:blank' });
    const attachedTo = (type: string) =>
      a.heard.findLast(
        ({ method, params }) =>
          method === 'Target.attachedToTarget' &&
          (params?.targetInfo as { type?: string } | undefined)?.type === type,
      );
    const page = String(attachedTo('page')?.params?.sessionId);
    await a.get('Runtime.runIfWaitingForDebugger', {}, page);
    await a.get(
      'Target.setAutoAttach',
      { autoAttach: true, waitForDebuggerOnStart: false, flatten: true },
      page,
    );
    await a.get('Page.navigate', { url: `${pages.origin}/` }, page);
    const open = `document.body.innerHTML='<iframe src="${pages.otherOrigin}/"></iframe>';
      new Worker(URL.createObjectURL(new Blob(['self.name2="w"'])))`;
    await expect.poll(() => evaluate(a, page, 'document.title'), patient).toBe('home');
    await evaluate(a, page, `${open};0`);
    // The headless shell keeps all frames of a page in one process.
    const types = rig.chromium.engine === 'full' ? ['iframe', 'worker'] : ['worker'];
    await expect.poll(() => types.every(attachedTo), patient).toBe(true);
    for (const type of types) {
      const attached = attachedTo(type);
      expect(attached?.sessionId).toBe(page);
      expect(await evaluate(a, String(attached?.params?.sessionId), '3')).toBe(3);
    }
    const closed = a.next(
      ({ method, params }) => method === 'Target.detachedFromTarget' && String(params?.sessionId) === page,
    );
    await a.get('Target.closeTarget', { targetId });
    await closed;
    for (const type of types)
      expect(
        await a.ask('Runtime.evaluate', { expression: '1' }, String(attachedTo(type)?.params?.sessionId)),
      ).toMatchObject({ error: { code: -32001 } });
  });

  test('of tabs lead to those of their pages, the way Puppeteer goes', async () => {
    const auto = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
    const opened = (type: string) =>
      a.next(({ params }) => (params?.targetInfo as { type?: string } | undefined)?.type === type);
    const tab = opened('tab');
    await a.get('Target.setAutoAttach', { ...auto, filter: [{ type: 'page', exclude: true }, {}] });
    const tabSession = String((await tab).params?.sessionId);
    const page = opened('page');
    await a.get('Target.setAutoAttach', { ...auto, filter: [{}] }, tabSession);
    const attached = await page;
    expect(attached.sessionId).toBe(tabSession);
    expect(await evaluate(a, String(attached.params?.sessionId), '4')).toBe(4);
  });
});

describe('a page', () => {
  test('cannot send its words to another client by disguising them as the end of a message', async () => {
    const [one, two] = await Promise.all([a.page(), b.page()]);
    await a.get('Runtime.enable', {}, one);
    const before = b.heard.length;
    const forged = [
      `"},"sessionId":"${two}"}`,
      `x","sessionId":"${two}"}\0{"method":"Page.x","params":{},"sessionId":"${two}"}`,
      `{"id":1000000000,"result":{},"sessionId":"${two}"}`,
    ];
    for (const text of forged) {
      const said = JSON.stringify(text);
      expect(await evaluate(a, one, `console.log(${said}); document.title=${said}; ${said}`)).toBe(text);
    }
    expect(b.heard.length).toBe(before);
  });
});

describe('large messages', () => {
  // more than a pipe or a read holds; that 64 MiB pass through the whole service is seen in the CDP specs
  const size = 4 * 1024 ** 2;

  test('come through whole, in both directions', async () => {
    const page = await a.page();
    expect(await evaluate(a, page, `'x'.repeat(${size})`)).toHaveLength(size);
    expect(await evaluate(a, page, `'${'y'.repeat(size)}'.length`)).toBe(size);
  });

  test('that Chromium would die of do not reach it', async () => {
    const page = await a.page();
    expect(
      await a.ask('Runtime.evaluate', { expression: `'${'\u20ac'.repeat(33 * 1024 ** 2)}'` }, page),
    ).toMatchObject({
      error: { message: 'Message is too large' },
    });
    expect(await evaluate(b, await b.page(), '1')).toBe(1);
  });
});

describe('a client that goes', () => {
  test('leaves the others and the browser as they were', async () => {
    const [one, two] = await Promise.all([a.page(), b.page()]);
    await b.get('Page.navigate', { url: `${pages.origin}/` }, two);
    await a.get('Fetch.enable', {}, one);
    await a.get('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' }, one);
    await a.get('Page.addScriptToEvaluateOnNewDocument', { source: 'globalThis.left = 1' }, one);
    const { browserContextId } = await a.get('Target.createBrowserContext');
    await a.get('Target.createTarget', { url: 'about:blank', browserContextId });
    await a.get('Debugger.enable', {}, one);
    void a.ask('Runtime.evaluate', { expression: 'debugger' }, one);
    await a.next(({ method }) => method === 'Debugger.paused');
    const heard = a.heard.length;
    await a.close();
    expect(await evaluate(b, two, `fetch('/').then((answer) => answer.status)`)).toBe(200);
    expect(await evaluate(b, two, 'Intl.DateTimeFormat().resolvedOptions().timeZone')).not.toBe('Asia/Tokyo');
    await b.get('Page.navigate', { url: `${pages.origin}/frames` }, two);
    expect(await evaluate(b, two, 'typeof globalThis.left')).toBe('undefined');
    expect(await b.get('Target.getBrowserContexts')).toMatchObject({ browserContextIds: [] });
    expect([a.heard.length, a.closedFor]).toEqual([heard, []]);
    expect(a.send('{"id":1,"method":"Browser.getVersion"}')).toBe(true);
  });

  test('by Browser.close is answered and detached; Chromium runs on', async () => {
    expect(await a.ask('Browser.close')).toMatchObject({ result: {} });
    await expect.poll(() => a.closedFor, patient).toEqual(['left']);
    expect(await b.get('Browser.getVersion')).toHaveProperty('product');
  });

  test('does not turn downloads or permissions back for those who stay', async () => {
    const { cdp } = rig.chromium;
    const two = await b.page();
    const folder = { behavior: 'allowAndName', downloadPath: '/somewhere/else', eventsEnabled: true };
    for (const client of [a, b]) await client.get('Browser.setDownloadBehavior', folder);
    await a.get('Browser.grantPermissions', { permissions: ['geolocation'], origin: pages.origin });
    await a.close();
    await b.get('Page.navigate', { url: `${pages.origin}/` }, two);
    const finished = b.next(
      ({ method, params }) => method === 'Browser.downloadProgress' && String(params?.state) === 'completed',
    );
    await evaluate(
      b,
      two,
      `Object.assign(document.createElement('a'),{download:'x',href:'data:,kept'}).click()`,
    );
    const { params } = await finished;
    expect(params).not.toHaveProperty('filePath');
    expect(await rig.downloaded(String(params?.guid))).toBe('kept');
    expect(
      await evaluate(b, two, `navigator.permissions.query({name:'geolocation'}).then((p) => p.state)`),
    ).toBe('granted');
    await cdp.send('Browser.resetPermissions');
  });
});

test('a client learns that Chromium has ended', async () => {
  await using other = await launchRig();
  const client = await other.client();
  await other.chromium.kill();
  await expect.poll(() => client.closedFor, patient).toEqual(['ended']);
  await client.close();
});
