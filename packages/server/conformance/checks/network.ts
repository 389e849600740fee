/** What a client sees of requests and answers, and what the site sees of them. */
import { createHash } from 'node:crypto';
import { type Checks, echoed, failureOf } from '../check.ts';

const pathOf = (url: string): string => new URL(url).pathname;
/** The clock's, not Chromium's. */
const without = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

export const network: Checks = {
  'the requests of a page': async ({ page, site }) => {
    const seen: unknown[] = [];
    page.on('request', (request) =>
      seen.push([
        request.method(),
        request.resourceType(),
        pathOf(request.url()),
        request.isNavigationRequest(),
      ]),
    );
    await page.goto(`${site.origin}/parts`, { waitUntil: 'load' });
    return seen;
  },
  'the answers to them': async ({ page, site }) => {
    const seen: unknown[] = [];
    page.on('response', (response) =>
      seen.push([response.status(), pathOf(response.url()), response.fromServiceWorker()]),
    );
    const finished: string[] = [];
    page.on('requestfinished', (request) => finished.push(pathOf(request.url())));
    await page.goto(`${site.origin}/parts`, { waitUntil: 'networkidle' });
    return [seen.sort(), finished.sort()];
  },
  'the headers that a client sees of a request': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    return without((await response?.request().allHeaders()) ?? {}, 'user-agent', 'host');
  },
  'the headers that a client sees of an answer': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/picture.png`);
    return without((await response?.allHeaders()) ?? {}, 'date');
  },
  'the headers that a site sees': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/echo`);
    const headers = await echoed(response);
    return headers;
  },
  'the headers that a site sees of a fetch': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "fetch('/echo', { headers: { 'X-Own': 'yes' } }).then((r) => r.json()).then((r) => r.headers)",
    );
  },
  'the sizes of a request and its answer': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/picture.png`);
    await response?.finished();
    return response?.request().sizes();
  },
  'the sizes of an answer in chunks': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/chunked`);
    await response?.finished();
    return response?.request().sizes();
  },
  'the times of a request are in order': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    await response?.finished();
    const timing = response?.request().timing();
    if (!timing) return null;
    const { startTime, requestStart, responseStart, responseEnd } = timing;
    return [startTime > 0, requestStart >= 0, responseStart >= requestStart, responseEnd >= responseStart];
  },
  'the address of a server': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    return response?.serverAddr();
  },
  'the protocol of a connection': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    return [
      await response?.securityDetails(),
      await page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol"),
    ];
  },
  'bodies, packed, in chunks and large': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const bodies: unknown[] = [];
    for (const path of ['/gzip', '/chunked', '/large', '/picture.png']) {
      const [response] = await Promise.all([
        page.waitForResponse(`**${path}`),
        page.evaluate(`fetch('${path}').then((r) => r.arrayBuffer()).then(() => 0)`),
      ]);
      const body = await response.body();
      bodies.push([path, body.length, createHash('sha256').update(body).digest('hex').slice(0, 12)]);
    }
    return bodies;
  },
  'what a page posts': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const [request, answer] = await Promise.all([
      page.waitForRequest('**/echo'),
      page.evaluate(
        "fetch('/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{\"a\":1}' }).then((r) => r.json()).then(({ method, body }) => [method, body])",
      ),
    ]);
    return [request.method(), request.postData(), request.postDataJSON(), answer];
  },
  'a large body that a page posts': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "fetch('/hash', { method: 'POST', body: 'y'.repeat(3000000) }).then((r) => r.text())",
    );
  },
  'a fetch whose connection is dropped': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const failed = page.waitForEvent('requestfailed');
    const told = await page.evaluate(
      "fetch('/drop').then((r) => 'status ' + r.status, (error) => error.message)",
    );
    return [told, (await failed).failure()];
  },
  'a fetch from a port on which nothing listens': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const failed = page.waitForEvent('requestfailed');
    const told = await page.evaluate(
      `fetch('http://127.0.0.1:${site.closedPort}/').then((r) => 'status ' + r.status, (error) => error.message)`,
    );
    return [told, (await failed).failure()];
  },
  'a fetch that is cut short': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const failed = page.waitForEvent('requestfailed');
    const told = await page.evaluate("fetch('/cut').then((r) => r.text()).catch((error) => error.message)");
    return [told, (await failed).failure()];
  },
  'a picture that does not load': async ({ page, site }) => {
    const [failed] = await Promise.all([
      page.waitForEvent('requestfailed'),
      page.setContent(`<img src="http://127.0.0.1:${site.closedPort}/a.png">`),
    ]);
    return [failed.resourceType(), failed.failure()];
  },
  'a fetch that is redirected': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate("fetch('/redirect?times=2').then((r) => [r.redirected, r.status, r.url])");
  },
  'a fetch of another site': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const open = `fetch('${site.otherOrigin}/plain')`;
    return page.evaluate(
      `Promise.all([${open}.catch((error) => error.message), ${open.replace(')', ", { mode: 'no-cors' })")}.then((r) => r.type)])`,
    );
  },
  'a password in the address': async ({ page, site }) => {
    const response = await page.goto(`http://ann:secret@127.0.0.1:${site.port}/auth`);
    return [response?.status(), await response?.text()];
  },
  'a password that is missing': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/auth`);
    return [response?.status(), response?.headers()['www-authenticate']];
  },
  'headers that a client adds': async ({ page, site }) => {
    await page.setExtraHTTPHeaders({ 'x-added': 'by the client' });
    const response = await page.goto(`${site.origin}/echo`);
    return (await echoed(response))['x-added'];
  },
  'a stream of events': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "new Promise((resolve) => { const heard = []; const source = new EventSource('/events'); source.onmessage = ({ data }) => { heard.push(data); if (heard.length === 2) { source.close(); resolve(heard) } } })",
    );
  },
  'what is kept in the cache': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "(async () => { const address = '/cached?' + Math.random(); for (let n = 0; n < 2; n++) await fetch(address).then((r) => r.text()); return performance.getEntriesByType('resource').map((entry) => entry.transferSize === 0) })()",
    );
  },
  'a beacon': async ({ page, site }) => {
    const [request] = await Promise.all([
      page.waitForRequest('**/beacon'),
      page.goto(`${site.origin}/sends`),
    ]);
    await request.response();
    return [request.resourceType(), site.received('/beacon').at(-1)];
  },
  'the end of a request': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    const request = response?.request();
    return [
      await response?.finished(),
      (await request?.response()) === response,
      request?.failure(),
      request?.frame() === page.mainFrame(),
    ];
  },
  'a body that is asked for after the page was left': async ({ page, site }) => {
    const response = await page.goto(`${site.origin}/plain`);
    await page.goto(`${site.origin}/other`);
    return failureOf(response?.body() ?? Promise.resolve());
  },
  'the client’s own requests': async ({ context, site }) => {
    const response = await context.request.post(`${site.origin}/echo`, { data: { a: 1 } });
    const { method, body } = (await response.json()) as { method: string; body: string };
    return [response.status(), method, body];
  },
};
