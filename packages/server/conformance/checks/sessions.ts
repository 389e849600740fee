/** The protocol itself: sessions, targets, contexts, measures; and what it is refused here. */
import { type Checks, echoed, failureOf } from '../check.ts';

export const sessions: Checks = {
  'a session of a page': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    const { result } = await (await session()).send('Runtime.evaluate', {
      expression: 'document.title',
      returnByValue: true,
    });
    return result;
  },
  'a session of a frame of another site': async ({ page, context, site }) => {
    await page.goto(`${site.origin}/plain`);
    const [frame] = await Promise.all([
      page.waitForEvent('framenavigated', (each) => each.url() === `${site.otherOrigin}/other`),
      page.evaluate(
        `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.otherOrigin}/other' }))`,
      ),
    ]);
    const cdp = await context.newCDPSession(frame);
    const { result } = await cdp.send('Runtime.evaluate', {
      expression: 'location.href',
      returnByValue: true,
    });
    return result.value;
  },
  'a session that ends': async ({ session }) => {
    const cdp = await session();
    await cdp.detach();
    return failureOf(cdp.send('Runtime.evaluate', { expression: '1' }));
  },
  'wrong parameters': async ({ session }) =>
    failureOf((await session()).send('Runtime.evaluate', {} as never)),
  'a method that does not exist': async ({ session }) =>
    failureOf((await session()).send('Page.doesNotExist' as never)),
  'the browser by a session of its own': async ({ browser }) => {
    const cdp = await browser.newBrowserCDPSession();
    const { product, protocolVersion, jsVersion } = await cdp.send('Browser.getVersion');
    return [browser.version(), product, protocolVersion, jsVersion];
  },
  'the targets of a browser': async ({ browser, page, site }) => {
    await page.goto(`${site.origin}/worker`);
    const cdp = await browser.newBrowserCDPSession();
    const { targetInfos } = await cdp.send('Target.getTargets');
    const own = targetInfos.find(({ url }) => url === page.url());
    return [own?.type, own?.title, own?.attached, Object.keys(own ?? {}).sort()];
  },
  'targets that come and go': async ({ browser, context, site }) => {
    const cdp = await browser.newBrowserCDPSession();
    const seen: string[] = [];
    cdp.on('Target.targetCreated', ({ targetInfo }) => targetInfo.type === 'page' && seen.push('created'));
    cdp.on('Target.targetDestroyed', () => seen.push('destroyed'));
    await cdp.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] });
    const known = seen.length;
    const page = await context.newPage();
    await page.goto(`${site.origin}/plain`);
    await page.close();
    return seen.slice(known);
  },
  'requests that a session holds': async ({ page, site, session }) => {
    const cdp = await session();
    await cdp.send('Fetch.enable', { patterns: [{ urlPattern: '*/plain', requestStage: 'Response' }] });
    const seen: unknown[] = [];
    cdp.on('Fetch.requestPaused', ({ requestId, responseStatusCode, resourceType }) => {
      seen.push([responseStatusCode, resourceType]);
      void cdp.send('Fetch.continueRequest', { requestId });
    });
    await page.goto(`${site.origin}/plain`);
    return seen;
  },
  'the network by a session': async ({ page, site, session }) => {
    const cdp = await session();
    await cdp.send('Network.enable');
    const seen: unknown[] = [];
    const finished = new Promise<string>((resolve) =>
      cdp.once('Network.loadingFinished', ({ requestId }) => resolve(requestId)),
    );
    cdp.on('Network.responseReceived', ({ response, type }) =>
      seen.push([
        type,
        response.status,
        response.protocol,
        response.mimeType,
        response.fromDiskCache,
        response.charset,
      ]),
    );
    await page.goto(`${site.origin}/plain`);
    const { body } = await cdp.send('Network.getResponseBody', { requestId: await finished });
    return [seen, body.length];
  },
  'the address of a server by a session': async ({ page, site, session }) => {
    const cdp = await session();
    await cdp.send('Network.enable');
    const received = new Promise<[string?, number?]>((resolve) =>
      cdp.once('Network.responseReceived', ({ response }) =>
        resolve([response.remoteIPAddress, response.remotePort]),
      ),
    );
    await page.goto(`${site.origin}/plain`);
    return received;
  },
  'a debugger': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    const cdp = await session();
    await cdp.send('Debugger.enable');
    const paused = new Promise<{ reason: string; callFrames: { functionName: string }[] }>((resolve) =>
      cdp.once('Debugger.paused', resolve),
    );
    const value = page.evaluate('(function stops() { debugger; return 7 })()');
    const { reason, callFrames } = await paused;
    await cdp.send('Debugger.resume');
    return [reason, callFrames[0]?.functionName, await value];
  },
  'measures of a page': async ({ session }) => {
    const cdp = await session();
    await cdp.send('Performance.enable');
    return (await cdp.send('Performance.getMetrics')).metrics.map(({ name }) => name).sort();
  },
  'the coverage of scripts': async ({ page, site }) => {
    await page.coverage.startJSCoverage();
    await page.goto(`${site.origin}/parts`);
    const entries = await page.coverage.stopJSCoverage();
    return entries.map(({ url, functions }) => [
      new URL(url).pathname,
      functions.map(({ functionName, ranges }) => [functionName, ranges[0]?.count]),
    ]);
  },
  'the coverage of styles': async ({ page, site }) => {
    await page.coverage.startCSSCoverage();
    await page.setContent(
      `<base href="${site.origin}"><link rel="stylesheet" href="/style.css"><p>styled</p>`,
    );
    const entries = await page.coverage.stopCSSCoverage();
    return entries.map(({ url, ranges }) => [new URL(url).pathname, ranges]);
  },
  'a snapshot of the heap': async ({ session }) => {
    const cdp = await session();
    let length = 0;
    cdp.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
      length += chunk.length;
    });
    await cdp.send('HeapProfiler.takeHeapSnapshot');
    return length > 100_000;
  },
  'a context of a client’s own': async ({ browser, context, site }) => {
    await context.addCookies([{ name: 'outer', value: '1', url: site.origin }]);
    const own = await browser.newContext({ extraHTTPHeaders: { 'x-own': 'context' } });
    const page = await own.newPage();
    const response = await page.goto(`${site.origin}/echo`);
    const headers = await echoed(response);
    const seen = [headers['x-own'], headers.cookie ?? null, browser.contexts().length];
    await own.close();
    return [...seen, browser.contexts().length];
  },
  'a password for a context': async ({ browser, site }) => {
    const context = await browser.newContext({ httpCredentials: { username: 'ann', password: 'secret' } });
    const page = await context.newPage();
    const response = await page.goto(`${site.origin}/auth`);
    const seen = [response?.status(), await response?.text()];
    await context.close();
    return seen;
  },
  'two clients side by side': async ({ page, site, connect }) => {
    await page.goto(`${site.origin}/plain`);
    const other = await connect();
    const same = other
      .contexts()[0]
      ?.pages()
      .find((each) => each.url() === page.url());
    await same?.evaluate("document.title = 'by the other'");
    return [await page.title(), await same?.title()];
  },
  'a context with a proxy of its own': async ({ browser }) => {
    const context = await browser
      .newContext({ proxy: { server: 'http://127.0.0.1:9' } })
      .catch((error: Error) => error);
    if (context instanceof Error) return failureOf(Promise.reject(context));
    await context.close();
    return 'made';
  },
  'the command line of the browser': async ({ browser }) =>
    failureOf((await browser.newBrowserCDPSession()).send('Browser.getBrowserCommandLine')),
  'the machine': async ({ browser }) =>
    failureOf((await browser.newBrowserCDPSession()).send('SystemInfo.getInfo')),
  'the processes of the machine': async ({ browser }) =>
    failureOf((await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo')),
  'a session that is not flat': async ({ browser }) => {
    const cdp = await browser.newBrowserCDPSession();
    const { targetInfos } = await cdp.send('Target.getTargets');
    const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
    return failureOf(cdp.send('Target.attachToTarget', { targetId, flatten: false }));
  },
  'time that does not pass': async ({ session }) =>
    failureOf((await session()).send('Emulation.setVirtualTimePolicy', { policy: 'advance' })),
  'a page that is put to sleep': async ({ session }) =>
    failureOf((await session()).send('Page.setWebLifecycleState', { state: 'active' })),
  'memory of the browser': async ({ session }) => failureOf((await session()).send('Memory.getDOMCounters')),
  'room for a site': async ({ session, site }) =>
    failureOf(
      (await session()).send('Storage.overrideQuotaForOrigin', { origin: site.origin, quotaSize: 1_000_000 }),
    ),
};
