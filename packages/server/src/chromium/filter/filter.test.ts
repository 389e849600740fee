import { describe, expect, test } from 'vitest';
import { Belongings } from './belongings.ts';
import { closedAddresses, protocol } from './filter.fixture.ts';
import { judge } from './filter.ts';
import { openMethods } from './methods.ts';
import { type FilterRules, ruledMethods, type Verdict } from './rules.ts';

const rules: FilterRules = {
  downloadPath: '/profile/out',
  fileFor: (path) => (path === '/files/a.txt' ? '/profile/in/a.txt' : undefined),
};
const owned = new Belongings('B');
owned.contexts.add('MINE');
owned.addSession({ id: 'S', targetId: 'T', parentId: 'B' });
owned.addStream('S', '1');
const ask = (method: string, params: Record<string, unknown> = {}, own: FilterRules = rules): Verdict =>
  judge(method, params, { rules: own, owned, sessionId: 'S' });
const passed = (method: string, params: Record<string, unknown>): unknown => {
  const verdict = ask(method, params);
  return verdict.kind === 'refuse' ? verdict.message : 'params' in verdict && verdict.params;
};

describe('what pages are told about media', () => {
  const features = (scheme: string) => [
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'no-preference' },
    { name: 'forced-colors', value: 'none' },
    { name: 'prefers-contrast', value: 'no-preference' },
  ];
  const byPlaywright = { media: '', features: features('light') };
  const dark: FilterRules = { ...rules, media: [{ name: 'prefers-color-scheme', value: 'dark' }] };
  const sessions = new Belongings('B');
  sessions.addContext('MINE');
  sessions.addSession({ id: 'S', targetId: 'T', parentId: 'B' });
  sessions.addSession({ id: 'OWN', targetId: 'U', parentId: 'B', contextId: 'MINE' });
  const told = (sessionId: string, params: object, own = dark) => {
    const asker = { rules: own, owned: sessions, sessionId };
    const verdict = judge('Emulation.setEmulatedMedia', { ...params }, asker);
    return 'params' in verdict && verdict.params;
  };

  test('is the wish of the browser where a client sends defaults, and the client’s as soon as it asks', () => {
    expect(told('S', byPlaywright)).toEqual({ media: '', features: features('dark') });
    expect(told('S', byPlaywright)).toEqual(byPlaywright);
    expect(told('OWN', byPlaywright)).toEqual(byPlaywright);
    expect(told('ANOTHER', { media: 'print' })).toEqual({ media: 'print' });
    expect(told('THIRD', byPlaywright, rules)).toEqual(byPlaywright);
  });
});

describe('the tables', () => {
  test('name methods that exist', () => {
    const known = new Set(protocol);
    expect([...openMethods, ...ruledMethods.keys()].filter((method) => !known.has(method))).toEqual([]);
  });

  test('do not name a method twice', () => {
    expect([...ruledMethods.keys()].filter((method) => openMethods.has(method))).toEqual([]);
  });

  test('leave closed whatever is not about driving a page', () => {
    const closed = [
      ...[
        'Browser.crash',
        'Browser.crashGpuProcess',
        'Browser.getBrowserCommandLine',
        'Browser.getHistograms',
      ],
      ...[
        'Browser.getHistogram',
        'Browser.executeBrowserCommand',
        'Browser.addPrivacySandboxEnrollmentOverride',
      ],
      ...['Browser.addMockCamera', 'Browser.setDockTile', 'Page.crash', 'Page.setWebLifecycleState'],
      ...['Page.addCompilationCache', 'Page.produceCompilationCache', 'Page.startScreenRecording'],
      ...['Page.waitForDebugger', 'DOM.getFileInfo', 'IO.resolveBlob', 'Storage.overrideQuotaForOrigin'],
      ...['Target.sendMessageToTarget', 'Target.exposeDevToolsProtocol', 'Target.setRemoteLocations'],
      ...['Target.autoAttachRelated', 'Target.openDevTools', 'Target.getDevToolsTarget'],
      ...['Emulation.setVirtualTimePolicy', 'Emulation.addScreen', 'Network.configureDurableMessages'],
    ];
    const domains =
      `Extensions SystemInfo Tethering Tracing Memory HeadlessExperimental BackgroundService PWA Cast
      DeviceAccess Autofill FileSystem LayerTree BluetoothEmulation SmartCardEmulation DigitalCredentials FedCm
      CrashReportContext WebMCP Ads FindInPage`.split(/\s+/);
    const all = [...closed, ...protocol.filter((method) => domains.includes(method.split('.')[0] ?? ''))];
    expect(all.filter((method) => ask(method).kind !== 'refuse')).toEqual([]);
    expect(ask('Tracing.start')).toEqual({ kind: 'refuse', message: "'Tracing.start' is not allowed here" });
  });

  test('are not fooled by other spellings, nor by names every object has', () => {
    for (const method of [
      ...[
        'page.navigate',
        'Page.Navigate',
        ' Page.enable',
        'Page.enable ',
        'Page.enable\0',
        'Page',
        'Page.',
        '',
      ],
      ...['constructor', '__proto__', 'toString', 'Page.constructor', 'hasOwnProperty'],
    ])
      expect([method, ask(method).kind]).toEqual([method, 'refuse']);
  });
});

describe('addresses', () => {
  test('are checked wherever a client can name one', () => {
    for (const url of closedAddresses) {
      expect(ask('Page.navigate', { url }).kind).toBe('refuse');
      expect(ask('Target.createTarget', { url }).kind).toBe('refuse');
      expect(ask('Fetch.continueRequest', { requestId: '1', url }).kind).toBe('refuse');
      expect(ask('Network.loadNetworkResource', { url, options: {} }).kind).toBe('refuse');
      const data = { items: [{ mimeType: 'text/uri-list', data: url }], dragOperationsMask: 1 };
      expect(ask('Input.dispatchDragEvent', { type: 'drop', x: 1, y: 1, data }).kind).toBe('refuse');
    }
    for (const url of ['data:,x', 'blob:null/1', 'about:blank'])
      expect(ask('Network.loadNetworkResource', { url, options: {} }).kind).toBe('refuse');
  });

  test('are sent on as they were judged, not as they were written', () => {
    expect(passed('Page.navigate', { url: '\tHTTP://A.test', frameId: 'F', evil: 1 })).toEqual({
      url: 'http://a.test/',
      frameId: 'F',
    });
    expect(passed('Target.createTarget', { url: '', hidden: true, enableBeginFrameControl: true })).toEqual({
      url: 'about:blank',
    });
    expect(passed('Page.navigate', {})).toBe('Cannot navigate to invalid URL');
    expect(passed('Page.navigate', { url: ['http://a.test'] })).toBe('Cannot navigate to invalid URL');
  });
});

describe('files', () => {
  test('are only those that were handed out, under Chromium’s own path', () => {
    expect(passed('DOM.setFileInputFiles', { files: ['/files/a.txt'], objectId: 'O', x: 1 })).toEqual({
      files: ['/profile/in/a.txt'],
      objectId: 'O',
    });
    expect(passed('DOM.setFileInputFiles', { files: [], nodeId: 1 })).toEqual({ files: [], nodeId: 1 });
    for (const files of [
      ...[
        ['/etc/passwd'],
        ['/files/a.txt', '/etc/passwd'],
        ['/files/../etc/passwd'],
        ['/files/a.txt/'],
        [''],
        [null],
      ],
      ...[[['/files/a.txt']], '/files/a.txt', { 0: '/files/a.txt', length: 1 }, undefined],
    ])
      expect([files, ask('DOM.setFileInputFiles', { files }).kind]).toEqual([files, 'refuse']);
  });

  test('are none at all when none were handed out', () => {
    expect(ask('DOM.setFileInputFiles', { files: ['/files/a.txt'] }, { downloadPath: null }).kind).toBe(
      'refuse',
    );
  });

  test('cannot be dragged in either', () => {
    const drop = (data: unknown) => ({ type: 'drop', x: 1, y: 1, data });
    expect(
      ask('Input.dispatchDragEvent', drop({ items: [], files: ['/etc/passwd'], dragOperationsMask: 1 })).kind,
    ).toBe('refuse');
    const items = [{ mimeType: 'text/plain', data: 'x' }];
    expect(
      passed('Input.dispatchDragEvent', drop({ items, dragOperationsMask: 1, filesystem: 'x' })),
    ).toEqual(drop({ items, files: [], dragOperationsMask: 1 }));
  });
});

describe('downloads', () => {
  test('go where the service wants them, named by Chromium, whatever the client asked for', () => {
    const kept = { behavior: 'allowAndName', downloadPath: '/profile/out', eventsEnabled: true };
    for (const method of ['Browser.setDownloadBehavior', 'Page.setDownloadBehavior'])
      for (const behavior of ['allow', 'allowAndName', 'default', 'deny'])
        expect(ask(method, { behavior, downloadPath: '/etc', eventsEnabled: false })).toEqual({
          kind: 'serve',
          method: 'Browser.setDownloadBehavior',
          params: kept,
        });
  });

  test('are denied in a context of the client’s own when it asks', () => {
    const params = { behavior: 'deny', browserContextId: 'MINE' };
    expect(passed('Browser.setDownloadBehavior', params)).toEqual({ ...params, eventsEnabled: true });
    expect(passed('Browser.setDownloadBehavior', { ...params, browserContextId: 'OTHER' })).toMatchObject({
      behavior: 'allowAndName',
    });
  });

  test('are denied when the service keeps none', () => {
    const verdict = ask(
      'Browser.setDownloadBehavior',
      { behavior: 'allow', downloadPath: '/etc' },
      { downloadPath: null },
    );
    expect(verdict).toMatchObject({ params: { behavior: 'deny', eventsEnabled: true } });
  });
});

describe('the way out', () => {
  test('is not the client’s to choose', () => {
    for (const params of [
      { proxyServer: 'http://127.0.0.1:1' },
      { proxyBypassList: '<-loopback>' },
      { originsWithUniversalNetworkAccess: ['*'] },
      { proxyServer: '' },
    ])
      expect(ask('Target.createBrowserContext', params).kind).toBe('refuse');
    expect(passed('Target.createBrowserContext', { disposeOnDetach: false, more: 1 })).toEqual({
      disposeOnDetach: true,
    });
  });
});

describe('sessions, contexts and streams', () => {
  test('are flat, so that none of their messages can hide in others', () => {
    for (const flatten of [undefined, false, 'true', 1])
      for (const [method, params] of [
        ['Target.attachToTarget', { targetId: 'T' }],
        ['Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false }],
      ] as const)
        expect(ask(method, { ...params, flatten }).kind).toBe('refuse');
    expect(
      passed('Target.setAutoAttach', { autoAttach: false, waitForDebuggerOnStart: false }),
    ).toMatchObject({
      flatten: true,
    });
  });

  test('can be closed and read only by the client that owns them', () => {
    expect(ask('Target.detachFromTarget', { sessionId: 'S' }).kind).toBe('pass');
    expect(ask('Target.disposeBrowserContext', { browserContextId: 'MINE' }).kind).toBe('pass');
    expect(ask('IO.read', { handle: '1' }).kind).toBe('pass');
    for (const [method, params] of [
      ['Target.detachFromTarget', { sessionId: 'B' }],
      ['Target.detachFromTarget', { targetId: 'T' }],
      ['Target.detachFromTarget', { sessionId: ['S', 'X'] }],
      ['Target.disposeBrowserContext', { browserContextId: 'OTHER' }],
      ['IO.read', { handle: '2' }],
      ['IO.read', { handle: 'blob:0-1' }],
      ['IO.close', { handle: '2' }],
    ] as const)
      expect([method, ask(method, params).kind]).toEqual([method, 'refuse']);
  });
});
