/** Requests that a client answers, changes or stops on their way. */
import { type Checks, failureOf } from '../check.ts';

const read = (path: string): string =>
  `fetch('${path}').then(async (r) => [r.status, r.headers.get('x-own'), await r.text()], (error) => error.message)`;

export const routing: Checks = {
  'answered by the client': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/made', (route) =>
      route.fulfill({ status: 201, headers: { 'x-own': 'yes' }, body: 'made by the client' }),
    );
    return page.evaluate(read('/made'));
  },
  'a page answered by the client': async ({ page }) => {
    await page.route('http://nowhere.invalid/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>made</title>' }),
    );
    const response = await page.goto('http://nowhere.invalid/x');
    return [response?.status(), await page.title(), page.url()];
  },
  'JSON and bytes answered by the client': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/json', (route) => route.fulfill({ json: { a: [1, null] } }));
    await page.route('**/bytes', (route) => route.fulfill({ body: Buffer.from([0, 255, 128]) }));
    return page.evaluate(
      "Promise.all([fetch('/json').then((r) => r.json()), fetch('/bytes').then((r) => r.arrayBuffer()).then((b) => [...new Uint8Array(b)])])",
    );
  },
  'stopped by the client, for each reason': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const told: unknown[] = [];
    for (const reason of [
      'failed',
      'aborted',
      'blockedbyclient',
      'connectionrefused',
      'internetdisconnected',
      'namenotresolved',
      'timedout',
    ]) {
      await page.route(`**/${reason}`, (route) => route.abort(reason));
      const failed = page.waitForEvent('requestfailed');
      told.push([reason, await page.evaluate(read(`/${reason}`)), (await failed).failure()]);
    }
    return told;
  },
  'a page stopped by the client': async ({ page, site }) => {
    await page.route('**/plain', (route) => route.abort('connectionreset'));
    return failureOf(page.goto(`${site.origin}/plain`));
  },
  'sent on with other headers': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/echo', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-own': 'changed' } }),
    );
    return page.evaluate("fetch('/echo').then((r) => r.json()).then((r) => r.headers['x-own'])");
  },
  'sent on with another method and body': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/echo', (route) => route.continue({ method: 'PUT', postData: 'changed' }));
    return page.evaluate("fetch('/echo').then((r) => r.json()).then((r) => [r.method, r.body])");
  },
  'sent on to another address': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/elsewhere', (route) => route.continue({ url: `${site.origin}/chunked` }));
    return page.evaluate(read('/elsewhere'));
  },
  'handed from one handler to the next': async ({ page, site }) => {
    const order: string[] = [];
    await page.route('**/plain', (route) => {
      order.push('first');
      return route.continue();
    });
    await page.route('**/plain', (route) => {
      order.push('second');
      return route.fallback();
    });
    await page.goto(`${site.origin}/plain`);
    return order;
  },
  'fetched by the client and changed': async ({ page, site }) => {
    await page.route('**/plain', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('Some text', 'Other text') });
    });
    await page.goto(`${site.origin}/plain`);
    return page.textContent('#text');
  },
  'only so many times, and no longer': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.route('**/chunked', (route) => route.fulfill({ body: 'once' }), { times: 1 });
    const seen = [await page.evaluate(read('/chunked')), await page.evaluate(read('/chunked'))];
    await page.route('**/chunked', (route) => route.fulfill({ body: 'again' }));
    await page.unroute('**/chunked');
    return [...seen, await page.evaluate(read('/chunked'))];
  },
  'pictures, frames and workers': async ({ page, site }) => {
    const seen: string[] = [];
    await page.route('**', (route) => {
      seen.push(`${route.request().resourceType()} ${new URL(route.request().url()).pathname}`);
      return route.continue();
    });
    await page.goto(`${site.origin}/parts`);
    await page.goto(`${site.origin}/nested`);
    await page.goto(`${site.origin}/worker`);
    await page.waitForFunction("document.title === 'worker done'");
    return seen.sort();
  },
  'redirects of a routed request': async ({ page, site }) => {
    const seen: string[] = [];
    await page.route('**', (route) => {
      seen.push(new URL(route.request().url()).pathname);
      return route.continue();
    });
    await page.goto(`${site.origin}/redirect?to=/other`);
    return [seen, page.url()];
  },
  'for a whole context': async ({ context, page, site }) => {
    await context.route('**/made', (route) => route.fulfill({ body: 'for all' }));
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(read('/made'));
  },
  'a socket answered by the client': async ({ page, site }) => {
    await page.routeWebSocket('**/mocked', (socket) => {
      socket.onMessage((message) => socket.send(`mocked ${String(message)}`));
    });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      `new Promise((resolve) => { const socket = new WebSocket('ws://127.0.0.1:${site.port}/mocked'); socket.onopen = () => socket.send('hello'); socket.onmessage = ({ data }) => resolve(data) })`,
    );
  },
  'sent on to a file of the machine': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    let failure = '';
    await page.route('**/elsewhere', async (route) => {
      failure = await failureOf(route.continue({ url: 'file:///etc/hostname' }));
      await route.abort().catch(() => undefined);
    });
    await page.evaluate(read('/elsewhere'));
    return failure;
  },
};
