import { expect } from 'vitest';
import { type Attack, done, type World } from './attack-world.ts';

/** By CDP, as a script may speak it: on a page's session and on the browser's. */
const sessions = `
  const onPage = await context.newCDPSession(page), onBrowser = await browser.newBrowserCDPSession();
  const both = (method, params = {}) => ({ [method + ' on page']: () => onPage.send(method, params), [method + ' on browser']: () => onBrowser.send(method, params) });`;

const refusesAll =
  (code: string, browser?: 'loose') =>
  async (world: World): Promise<void> => {
    const options = { browser: browser && world[browser], timeoutMs: 20_000 };
    const answer = await world.run(`${sessions}\n${code}`, options);
    expect(answer).toMatchObject({ success: true });
    expect(done(answer.result)).toEqual([]);
    expect((await world.server.api.get(world.fenced)).body).toMatchObject({ status: 'ready', epoch: 1 });
  };

const refusesMethods = (...methods: [string, object?][]): Attack['attempt'] =>
  refusesAll(
    `return all(Object.assign({}, ...${JSON.stringify(methods)}.map(([method, params]) => both(method, params))));`,
  );

const closedAddresses = [
  ...[
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    ' file:///etc/passwd',
    'f\tile:///etc/passwd',
    'file:/etc/passwd',
    'file://localhost/etc/passwd',
  ],
  ...[
    'view-source:file:///etc/passwd',
    'view-source:http://example.test',
    'chrome://version',
    'CHROME://VERSION',
    'chrome:version',
    'about:version',
    'about:about',
  ],
  ...[
    'chrome-untrusted://terminal',
    'devtools://devtools/bundled/inspector.html',
    'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/x.html',
    'filesystem:http://x.test/temporary/a',
  ],
  ...[
    'blob:file:///x',
    'javascript:fetch("file:///etc/passwd")',
    'isolated-app://x',
    'content://x',
    'ftp://example.test/',
    'chrome-search://local-ntp',
    'externalfile:x',
  ],
];

export const cdpAttacks: Attack[] = [
  {
    name: 'navigates to closed addresses in all their spellings',
    attempt: refusesAll(
      `return all(Object.assign({}, ...${JSON.stringify(closedAddresses)}.map((url) => ({ [url]: () => onPage.send('Page.navigate', { url }) }))));`,
    ),
  },
  {
    name: 'opens tabs at closed addresses in all their spellings',
    attempt: refusesAll(
      `return all(Object.assign({}, ...${JSON.stringify(closedAddresses)}.map((url) => ({ [url]: () => onBrowser.send('Target.createTarget', { url }) }))));`,
    ),
  },
  {
    name: 'goes by page.goto to closed addresses',
    attempt: refusesAll(
      `const result = {}; for (const url of ${JSON.stringify(closedAddresses)}) result[url] = await one(() => page.goto(url, { timeout: 1000 })); return result;`,
    ),
  },
  {
    name: 'sends a request on to a file, or answers one with a redirect to a file',
    attempt: refusesAll(`await page.goto(args.site); await onPage.send('Fetch.enable');
      const result = {};
      for (const [name, send] of Object.entries({
        continue: (requestId) => onPage.send('Fetch.continueRequest', { requestId, url: 'file:///etc/passwd' }),
        redirect: (requestId) => onPage.send('Fetch.fulfillRequest', { requestId, responseCode: 302, responseHeaders: [{ name: 'location', value: 'file:///etc/passwd' }] }),
      })) {
        const paused = new Promise((resolve) => onPage.once('Fetch.requestPaused', resolve));
        const text = page.evaluate(() => fetch('/x').then((r) => r.text()));
        text.catch(() => 0);
        const { requestId } = await paused;
        const sent = await send(requestId).catch((error) => onPage.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }).catch(() => 0));
        result[name] = await one(() => text);
      }
      await onPage.send('Fetch.disable');
      return result;`),
  },
  {
    name: 'has downloads put into a folder of the machine',
    async attempt(world) {
      const code = `${sessions}
        for (const session of [onPage, onBrowser]) for (const method of ['Page.setDownloadBehavior', 'Browser.setDownloadBehavior'])
          for (const behavior of ['allow', 'allowAndName', 'default']) await session.send(method, { behavior, downloadPath: args.outside, eventsEnabled: true }).catch(() => 0);
        await page.goto(args.site);
        await page.evaluate(() => { const a = document.createElement('a'); a.href = 'data:application/octet-stream,attack'; a.download = '../../attack'; document.body.append(a); a.click(); });
        await sleep(500);`;
      expect(await world.run(code)).toMatchObject({ success: true });
    },
  },
  {
    name: 'puts files of the machine into a page',
    attempt: refusesAll(`await page.goto(args.site); await page.setContent('<input type=file multiple>');
      const { result } = await onPage.send('Runtime.evaluate', { expression: 'document.querySelector("input")' });
      const files = (...paths) => () => onPage.send('DOM.setFileInputFiles', { files: paths, objectId: result.objectId });
      const drag = (paths) => () => onPage.send('Input.dispatchDragEvent', { type: 'drop', x: 5, y: 5, data: { items: [], files: paths, dragOperationsMask: 1 } });
      return all({
        etc: files('/etc/passwd'), secret: files(args.secretFile), profile: files('/profile/Default/Preferences'), dots: files('../../etc/passwd'), list: files([args.secretFile]), relative: files('x'),
        drag: drag(['/etc/passwd']), link: () => onPage.send('Input.dispatchDragEvent', { type: 'drop', x: 5, y: 5, data: { items: [{ mimeType: 'text/uri-list', data: 'file:///etc/passwd' }], dragOperationsMask: 1 } }),
        info: () => onPage.send('DOM.getFileInfo', { objectId: result.objectId }),
      });`),
  },
  {
    name: 'makes a context that leaves the exit',
    attempt: refusesAll(`const proxy = 'http://127.0.0.1:' + args.canary.tcp;
      return all({
        ...both('Target.createBrowserContext', { proxyServer: 'direct://' }), server: () => onBrowser.send('Target.createBrowserContext', { proxyServer: proxy }),
        bypass: () => onBrowser.send('Target.createBrowserContext', { proxyBypassList: '*' }), empty: () => onBrowser.send('Target.createBrowserContext', { proxyServer: '' }),
        origins: () => onBrowser.send('Target.createBrowserContext', { originsWithUniversalNetworkAccess: ['*'] }),
        playwright: async () => { const made = await browser.newContext({ proxy: { server: proxy } }); const page = await made.newPage(); return (await page.goto('http://example.test/')).status(); },
        bypassing: async () => { const made = await browser.newContext(); const page = await made.newPage(); return (await page.goto(proxy, { timeout: 1000 })).status() === 403 ? Promise.reject(new Error('403')) : 'reached'; },
      });`),
  },
  {
    name: 'tunnels messages past the filter',
    attempt: refusesAll(`const { targetInfo: { targetId } } = await onPage.send('Target.getTargetInfo');
      const attach = (flatten) => () => onBrowser.send('Target.attachToTarget', { targetId, flatten });
      return all({
        ...both('Target.exposeDevToolsProtocol', { targetId, bindingName: 'cdp' }), ...both('Target.sendMessageToTarget', { targetId, message: '{"id":1,"method":"Browser.crash"}' }),
        nested: attach(false), absent: attach(undefined), number: attach(1), text: attach('true'), auto: () => onBrowser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false }),
        ...both('Target.autoAttachRelated', { targetId, waitForDebuggerOnStart: false }), ...both('Target.setRemoteLocations', { locations: [{ host: '127.0.0.1', port: args.canary.tcp }] }), ...both('Target.openDevTools', { targetId }),
      });`),
  },
  {
    name: 'crashes the browser, its page or its graphics process',
    attempt: refusesMethods(
      ['Browser.crash'],
      ['Browser.crashGpuProcess'],
      ['Page.crash'],
      ['Inspector.crash'],
      ['Debugger.crash'],
    ),
  },
  {
    name: 'goes to the addresses that crash, kill or hang',
    attempt: refusesAll(
      `const result = {}; for (const name of ['crash', 'kill', 'hang', 'gpucrash', 'quit', 'restart', 'inducebrowsercrashforrealz', 'badcastcrash']) for (const scheme of ['chrome://', 'about:', 'ChRoMe:']) result[scheme + name] = await one(() => onPage.send('Page.navigate', { url: scheme + name })); return result;`,
    ),
  },
  {
    name: 'closes the browser, which only ends its own connection',
    async attempt(world) {
      await world.run(`${sessions} await onBrowser.send('Browser.close').catch(() => 0); await sleep(200);`);
      await world.run('await browser.close();');
      expect((await world.server.api.get(world.fenced)).body).toMatchObject({ status: 'ready', epoch: 1 });
    },
  },
  {
    name: 'asks for the machine, its processes and its command lines',
    attempt: refusesMethods(
      ...([
        ['Browser.getBrowserCommandLine'],
        ['Browser.getHistograms'],
        ['SystemInfo.getInfo'],
        ['SystemInfo.getProcessInfo'],
        ['SystemInfo.getFeatureState', { featureState: 'x' }],
        ['Memory.getAllTimeSamplingProfile'],
      ] as [string, object?][]),
      ...([
        ['Memory.getDOMCounters'],
        ['Memory.prepareForLeakDetection'],
        ['Tracing.start', { transferMode: 'ReturnAsStream' }],
        ['Tracing.requestMemoryDump'],
        ['Tracing.getCategories'],
        ['Page.startScreenRecording'],
      ] as [string, object?][]),
    ),
  },
  {
    name: 'loads extensions, opens ports and uses devices',
    attempt: refusesMethods(
      ...([
        ['Extensions.loadUnpacked', { path: '/tmp' }],
        ['Extensions.getStorageItems', { id: 'x', storageArea: 'local' }],
        ['Tethering.bind', { port: 45_678 }],
        ['PWA.install', { manifestId: 'http://x.test' }],
      ] as [string, object?][]),
      ...([
        ['BluetoothEmulation.enable', { state: 'powered-on', leSupported: true }],
        ['DeviceAccess.enable'],
        ['FileSystem.getDirectory', {}],
        ['Cast.enable'],
        ['Autofill.enable'],
        ['FedCm.enable'],
      ] as [string, object?][]),
      ...([
        ['Storage.setProtectedAudienceKAnonymity', {}],
        ['BackgroundService.startObserving', { service: 'backgroundFetch' }],
        ['HeadlessExperimental.enable'],
        ['Page.addCompilationCache', { url: 'x', data: '' }],
      ] as [string, object?][]),
    ),
  },
  {
    name: 'names methods after what every object has, and in other spellings',
    attempt: refusesMethods(
      ...[
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        'Browser.__proto__',
        'browser.crash',
        'Browser.Crash',
        ' Browser.crash',
        'Browser.crash ',
        'Browser.crash\0',
        'Browser..crash',
        'x'.repeat(10_000),
      ].map((method): [string] => [method]),
    ),
  },
  {
    name: 'reads streams that it was not given',
    attempt: refusesAll(
      `return all(Object.assign({}, ...['1', '0', 'blob:x', '/etc/passwd', 'file:///etc/passwd', '__proto__'].flatMap((handle) => ['IO.read', 'IO.close'].map((method) => ({ [method + handle]: () => onPage.send(method, { handle }), [method + handle + ' on browser']: () => onBrowser.send(method, { handle }) })))));`,
    ),
  },
  {
    name: 'has the browser fetch a resource from a file or from a closed host',
    async attempt(world) {
      const code = `${sessions} await page.goto(args.site);
        const { frameTree: { frame: { id: frameId } } } = await onPage.send('Page.getFrameTree');
        const load = (url) => async () => { const { resource } = await onPage.send('Network.loadNetworkResource', { url, frameId, options: { disableCache: true, includeCredentials: true } }); if (!resource.success) throw new Error(resource.netErrorName); return resource.httpStatusCode; };
        return all({ file: load('file:///etc/passwd'), data: load('data:text/plain,x'), chrome: load('chrome://version'), canary: load('http://127.0.0.1:' + args.canary.tcp + '/') });`;
      const { result } = await world.run(code);
      expect(done(result).filter((said) => !said.endsWith('DONE 403'))).toEqual([]);
    },
  },
  {
    name: 'attaches to targets by made-up names, and detaches sessions of others',
    attempt: refusesAll(
      `return all(Object.assign({}, ...['x', 'A'.repeat(32), ''].map((id) => ({ ['attach ' + id]: () => onBrowser.send('Target.attachToTarget', { targetId: id, flatten: true }), ['detach ' + id]: () => onBrowser.send('Target.detachFromTarget', { sessionId: id }), ['dispose ' + id]: () => onBrowser.send('Target.disposeBrowserContext', { browserContextId: id }) }))));`,
    ),
  },
];
