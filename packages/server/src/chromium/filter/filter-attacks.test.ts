import { existsSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, launchRig, type Pages, type RawClient, type Rig, servePages } from '../pipe/mux.fixture.ts';

/** Attempts to get out of the browser by the protocol, against a real Chromium: nothing is read, written or ended. */
describe.each(engines)('a client that means harm, engine %s', (engine) => {
  const secret = 'the secret of the machine';
  let rig: Rig;
  let pages: Pages;
  let client: RawClient;
  let page: string;
  /** A file Chromium itself can read, named as Chromium sees it. */
  let secretPath: string;
  beforeAll(async () => {
    rig = await launchRig(engine);
    secretPath = rig.rules.fileFor?.(await rig.handOut('secret.txt', secret)) ?? '';
    pages = await servePages({
      '/': '<!doctype html><title>home</title><input type=file style="width:200px;height:200px">',
      '/drop': `<!doctype html><title>drop</title><body style="height:500px"
        ondragover="event.preventDefault()" ondrop="document.title='files '+event.dataTransfer.files.length">`,
      '/plain': '<!doctype html><title>plain</title><body style="height:500px">',
    });
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await rig?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    client = await rig.client({ rules: { downloadPath: rig.rules.downloadPath } });
    page = await client.page();
    await open('/');
    return () => client.close();
  });

  const evaluate = async (expression: string, more: object = {}): Promise<unknown> => {
    const params = { expression, awaitPromise: true, returnByValue: true, ...more };
    const answer = await client.get('Runtime.evaluate', params, page);
    return (answer.result as unknown as { value?: unknown }).value;
  };
  async function open(path: string): Promise<void> {
    await client.get('Page.enable', {}, page);
    const loaded = client.next(
      ({ method, sessionId }) => method === 'Page.loadEventFired' && sessionId === page,
    );
    await client.get('Page.navigate', { url: `${pages.origin}${path}` }, page);
    await loaded;
  }
  /** Between two documents there is nothing to read yet. */
  const text = async (): Promise<string> => {
    for (;;) {
      const read = await evaluate('location.href + document.documentElement.textContent');
      if (typeof read === 'string') return read;
      await new Promise(setImmediate);
    }
  };
  const refused = async (
    method: string,
    params?: object,
    session: string | undefined = page,
  ): Promise<void> => {
    expect([method, await client.ask(method, params, session)]).toEqual([
      method,
      expect.objectContaining({ error: expect.objectContaining({ code: -32000 }) }),
    ]);
  };
  /** What the service, which sees all, knows to be open. */
  const targets = async (): Promise<string[]> => {
    const { targetInfos } = await rig.chromium.cdp.send('Target.getTargets', { filter: [{}] });
    return targetInfos.map(({ url }) => url);
  };

  test('cannot open a file as a page', async () => {
    for (const url of [
      `file://${secretPath}`,
      `view-source:file://${secretPath}`,
      ` FI\nLE://${secretPath}`,
    ]) {
      await refused('Page.navigate', { url });
      await refused('Target.createTarget', { url }, undefined);
    }
    for (const script of [`location = 'file://${secretPath}'`, `open('file://${secretPath}')`])
      await client.ask('Runtime.evaluate', { expression: `${script};0`, userGesture: true }, page);
    await evaluate(`new Promise((resolve) => setTimeout(resolve, 100))`);
    expect(await text()).not.toContain(secret);
    expect((await targets()).join()).not.toContain('file:');
  });

  test('cannot read a file from a frame, a world of its own or a document it wrote', async () => {
    const { frameTree } = await client.get('Page.getFrameTree', {}, page);
    const frameId = (frameTree as unknown as { frame: { id: string } }).frame.id;
    const world = { frameId, grantUniveralAccess: true, worldName: 'w' };
    const { executionContextId } = await client.get('Page.createIsolatedWorld', world, page);
    const read = `fetch('file://${secretPath}').then((file) => file.text()).catch(() => 'nothing')`;
    expect(await evaluate(read, { contextId: executionContextId })).toBe('nothing');
    const html = `<iframe src="file://${secretPath}"></iframe><script>onmessage=0</script>`;
    await client.get('Page.setDocumentContent', { frameId, html }, page);
    await evaluate(`new Promise((resolve) => setTimeout(resolve, 100))`);
    const { data } = await client.get('Page.captureSnapshot', {}, page);
    expect(data).not.toContain(secret);
  });

  test('cannot be redirected to a file by its own answers', async () => {
    await client.get('Fetch.enable', { patterns: [{ urlPattern: '*/redirect' }] }, page);
    for (const location of [`file://${secretPath}`, 'chrome://version/', 'view-source:about:blank']) {
      const paused = client.next(({ method }) => method === 'Fetch.requestPaused');
      const gone = client.ask('Page.navigate', { url: `${pages.origin}/redirect` }, page);
      const { requestId } = (await paused).params as unknown as { requestId: string };
      const responseHeaders = [{ name: 'Location', value: location }];
      await client.get('Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders }, page);
      await gone;
      expect(await text()).not.toContain(secret);
      expect((await targets()).join()).not.toMatch(/file:|chrome:\/\/|view-source/);
    }
  });

  test('cannot turn a request of a page into one for a file', async () => {
    await client.get('Fetch.enable', { patterns: [{ urlPattern: '*/turned' }] }, page);
    const paused = client.next(({ method }) => method === 'Fetch.requestPaused');
    const fetched = evaluate(`fetch('/turned').then((answer) => answer.text()).catch(() => 'nothing')`);
    const { requestId } = (await paused).params as unknown as { requestId: string };
    await refused('Fetch.continueRequest', { requestId, url: `file://${secretPath}` });
    await client.get('Fetch.failRequest', { requestId, errorReason: 'Failed' }, page);
    expect(await fetched).toBe('nothing');
    await refused('Network.loadNetworkResource', { url: `file://${secretPath}`, options: {} });
  });

  test('cannot put a file into a page that was not handed out', async () => {
    const { result } = await client.get(
      'Runtime.evaluate',
      { expression: 'document.querySelector("input")' },
      page,
    );
    const { objectId } = result as unknown as { objectId: string };
    await refused('DOM.setFileInputFiles', { files: [secretPath], objectId });
    expect(await evaluate('document.querySelector("input").files.length')).toBe(0);
  });

  test('cannot drop a file, or a link to one, on a page', async () => {
    const drag = (type: string, data: object) => ({
      type,
      x: 50,
      y: 50,
      data: { dragOperationsMask: 1, ...data },
    });
    await open('/drop');
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await refused('Input.dispatchDragEvent', drag(type, { items: [], files: [secretPath] }));
    expect(await evaluate('document.title')).toBe('drop');
    await open('/plain');
    const items = [{ mimeType: 'text/uri-list', data: `file://${secretPath}` }];
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await refused('Input.dispatchDragEvent', drag(type, { items }));
    expect(await text()).toContain('/plain');
  });

  test('cannot choose where a download is written', async () => {
    const { cdp } = rig.chromium;
    const params = { behavior: 'allow', downloadPath: '/tmp/chosen-by-client', eventsEnabled: true };
    await client.get('Browser.setDownloadBehavior', params);
    await client.get('Page.setDownloadBehavior', params, page);
    const done = new Promise<{ guid: string; filePath?: string }>((resolve) => {
      cdp.on('Browser.downloadProgress', (progress) => progress.state === 'completed' && resolve(progress));
    });
    await evaluate(`Object.assign(document.createElement('a'),{download:'x.txt',href:'data:,kept'}).click()`);
    const { guid, filePath } = await done;
    expect(filePath).toBe(`${rig.rules.downloadPath}/${guid}`);
    expect(await rig.downloaded(guid)).toBe('kept');
    expect(existsSync('/tmp/chosen-by-client')).toBe(false);
  });

  test('cannot get round the egress policy with a context of its own', async () => {
    const proxy = { proxyServer: 'http://127.0.0.1:9', proxyBypassList: '<-loopback>' };
    await refused('Target.createBrowserContext', proxy, undefined);
    const { browserContextId } = await client.get('Target.createBrowserContext');
    const { targetId } = await client.get('Target.createTarget', { url: 'about:blank', browserContextId });
    const attached = await client.get('Target.attachToTarget', { targetId, flatten: true });
    const before = { requests: pages.requests.length, refused: rig.egress.stats().refused };
    rig.egress.allow({ allowedDomains: ['nowhere.test'] });
    const session = String(attached.sessionId);
    for (const url of [`${pages.origin}/`, `${pages.otherOrigin}/`])
      await client.ask('Page.navigate', { url }, session);
    const settings = { privateAccess: { localhost: true } };
    expect(pages.requests.length).toBe(before.requests);
    expect(rig.egress.stats().refused).toBeGreaterThan(before.refused);
    rig.egress.allow(settings);
    await client.get('Page.navigate', { url: `${pages.origin}/` }, session);
    expect(pages.requests.length).toBeGreaterThan(before.requests);
  });

  test('cannot open or see pages of Chromium’s own', async () => {
    for (const url of [
      'chrome://version/',
      'CHROME://crash',
      'about:version',
      'devtools://devtools/x',
      'view-source:about:blank',
    ]) {
      await refused('Page.navigate', { url });
      await refused('Target.createTarget', { url }, undefined);
      await client.ask(
        'Runtime.evaluate',
        { expression: `open(${JSON.stringify(url)})`, userGesture: true },
        page,
      );
    }
    await refused('Target.openDevTools', { targetId: 'x' }, undefined);
    expect((await targets()).join()).not.toMatch(/chrome:|devtools:|view-source:/);
    const seen = (await client.get('Target.getTargets', { filter: [{}] })).targetInfos as unknown as {
      url: string;
    }[];
    for (const { url } of seen) expect(url).toMatch(/^(http:|about:blank|$)/);
  });

  test('cannot reach Chromium’s own commands by the keyboard', async () => {
    const before = await targets();
    const keys: [string, number, number][] = [
      ['u', 85, 2],
      ['h', 72, 2],
      ['n', 78, 2],
      ['t', 84, 2],
      ['o', 79, 2],
      ['i', 73, 10],
      ['F12', 123, 0],
    ];
    for (const [key, windowsVirtualKeyCode, modifiers] of keys)
      for (const type of ['rawKeyDown', 'keyUp'])
        await client.get(
          'Input.dispatchKeyEvent',
          { type, key, code: key, modifiers, windowsVirtualKeyCode },
          page,
        );
    expect((await targets()).sort()).toEqual(before.sort());
  });

  test('cannot tunnel past the filter in sessions that are not flat', async () => {
    const { targetInfo } = await client.get('Target.getTargetInfo', {}, page);
    const { targetId } = targetInfo as unknown as { targetId: string };
    for (const params of [{ targetId }, { targetId, flatten: false }])
      await refused('Target.attachToTarget', params, undefined);
    const auto = { autoAttach: true, waitForDebuggerOnStart: false };
    await refused('Target.setAutoAttach', auto, undefined);
    await refused('Target.setAutoAttach', { ...auto, flatten: false });
    const message = JSON.stringify({
      id: 1,
      method: 'Page.navigate',
      params: { url: `file://${secretPath}` },
    });
    await refused('Target.sendMessageToTarget', { message, sessionId: page }, undefined);
    await refused('Target.exposeDevToolsProtocol', { targetId, bindingName: 'cdp' }, undefined);
    await refused('Target.exposeDevToolsProtocol', { targetId, bindingName: 'cdp' });
    expect(await evaluate('typeof cdp')).toBe('undefined');
    await refused('Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: 1 }] }, undefined);
  });

  test('is held by the same filter in every session it opens', async () => {
    const { sessionId } = await client.get('Target.attachToBrowserTarget');
    const second = String(sessionId);
    expect(await client.get('Browser.getVersion', {}, second)).toHaveProperty('product');
    await refused('Browser.getBrowserCommandLine', {}, second);
    await refused('Target.createBrowserContext', { proxyServer: 'direct://' }, second);
    await refused('Target.createTarget', { url: 'chrome://version/' }, second);
  });

  test('cannot read a stream that was opened for another', async () => {
    const { cdp } = rig.chromium;
    const { targetInfos } = await cdp.send('Target.getTargets');
    const { sessionId } = await cdp.send('Target.attachToTarget', {
      targetId: targetInfos.find(({ url }) => url.startsWith(pages.origin))?.targetId ?? '',
      flatten: true,
    });
    const { stream } = await cdp.send('Page.printToPDF', { transferMode: 'ReturnAsStream' }, { sessionId });
    for (const session of [page, undefined])
      expect(await client.ask('IO.read', { handle: stream }, session)).toMatchObject({
        error: { message: 'Invalid stream handle' },
      });
    const own = await client.get('Page.printToPDF', { transferMode: 'ReturnAsStream' }, page);
    expect(await client.get('IO.read', { handle: own.stream, size: 100 }, page)).toHaveProperty('data');
    await cdp.send('Target.detachFromTarget', { sessionId });
  });

  test('cannot end or crash the browser, nor learn how it was started', async () => {
    for (const method of [
      'Browser.crash',
      'Browser.crashGpuProcess',
      'Browser.getBrowserCommandLine',
      'SystemInfo.getInfo',
    ])
      await refused(method, {}, undefined);
    await refused('Page.crash');
    await refused('Tracing.start', { transferMode: 'ReturnAsStream' }, undefined);
    await refused('Extensions.loadUnpacked', { path: '/profile' }, undefined);
    await refused('Memory.simulatePressureNotification', { level: 'critical' }, undefined);
    await client.get('Browser.close');
    expect(await rig.chromium.cdp.send('Browser.getVersion')).toHaveProperty('product');
  });
});
