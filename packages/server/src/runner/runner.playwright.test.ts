import { createServer } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../errors.ts';
import { openSite, Scene, type Site } from './runner.fixture.ts';

/** What Playwright's documentation shows, as scripts, unchanged where it can be. */
let scene: Scene;
let site: Site;
const written: { name: string; mimeType?: string; data: Buffer }[] = [];
const listeningChanges: boolean[] = [];

beforeAll(async () => {
  site = await openSite((request, response) => {
    if (request.url === '/file') {
      response.setHeader('Content-Disposition', 'attachment; filename="report.txt"');
      response.end('the report');
    } else if (request.url === '/echo') {
      response.setHeader('Set-Cookie', 'fromServer=1');
      response.end(JSON.stringify({ cookie: request.headers.cookie, method: request.method }));
    } else {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<title>${request.url}</title><a href="/popup" target="_blank">open</a><a id="file" href="/file">file</a>
        <input type="file"><label>Name <input id="name"></label><button onclick="document.title = confirm('sure?')">ask</button>
        <iframe srcdoc="<button onclick='parent.document.title = 1'>In frame</button>"></iframe>`);
    }
  });
  // The egress proxy of the browser, as small as can be: it only tunnels.
  const proxy = createServer().on('connect', (request, socket) => {
    const [host, port] = (request.url ?? '').split(':');
    if (host !== '127.0.0.1') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const remote = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    remote.on('error', () => socket.destroy());
    socket.on('error', () => remote.destroy());
    remote.pipe(socket).pipe(remote);
  });
  scene = await Scene.open('strict', { size: 0 });
  await scene.attachWith({
    onStream: (stream) => proxy.emit('connection', stream),
    onDialogListening: (listening) => listeningChanges.push(listening),
    files: {
      path: async (fileId) => {
        if (fileId !== 'file_1') throw new ApiError('ROUTE_NOT_FOUND', `There is no file ${fileId}.`);
        return { path: '/etc/hostname', name: 'my upload.txt' };
      },
      write: async (file) => {
        written.push(file);
        return { id: 'file_2', name: file.name, size: file.data.length };
      },
      download: async () => Buffer.from('the report, from the service'),
    },
  });
});
afterAll(async () => {
  await scene[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await scene.result(`await page.goto('${site.origin}/')`);
});

describe('a script', () => {
  test('fills, clicks and reads', async () => {
    const code = `await page.getByLabel('Name').fill('Ada'); await page.getByLabel('Name').press('End');
      return [await page.getByLabel('Name').inputValue(), await page.locator('a').count(), await page.getByRole('link', { name: /open/i }).getAttribute('href')]`;
    expect(await scene.result(code)).toEqual(['Ada', 2, '/popup']);
  });

  test('works in frames', async () => {
    await scene.result(`await page.frameLocator('iframe').getByText('In frame').click()`);
    expect(await scene.result('return page.title()')).toBe('1');
  });

  test('follows a popup', async () => {
    const { result, lastTargetId } = await scene.run(`
      const popupPromise = page.waitForEvent('popup');
      await page.getByText('open').click();
      const popup = await popupPromise;
      await popup.waitForLoadState();
      return popup.title()`);
    expect(result).toBe('/popup');
    const tab = (await scene.chromium.tabs()).find(({ targetId }) => targetId === lastTargetId);
    expect(tab?.url).toBe(`${site.origin}/popup`);
  });

  test('waits for responses and reads requests', async () => {
    const code = `
      const [response] = await Promise.all([page.waitForResponse('**/echo'), page.evaluate(() => fetch('/echo').then((r) => r.text()))]);
      return [response.status(), (await response.json()).method, response.request().method()]`;
    expect(await scene.result(code)).toEqual([200, 'GET', 'GET']);
  });

  test('takes screenshots and describes what it returns', async () => {
    const code = `const image = await page.screenshot(); return { size: image.length > 100, image: image.subarray(1, 4), page, body: await page.$('body') }`;
    expect(await scene.result(code)).toEqual({
      size: true,
      image: { $bytes: Buffer.from('PNG').toString('base64') },
      page: { $handle: `Page ${site.origin}/` },
      body: { $handle: expect.stringMatching(/^JSHandle@/) },
    });
    expect(await scene.result('await page.screenshot({ path: "own.png" }); return 1')).toBe(1);
  });

  test('answers dialogs that it listens to, and leaves the others to the service', async () => {
    // The last dialog stays open, and its tab with it.
    onTestFinished(() => scene.freshTab());
    listeningChanges.length = 0;
    await scene.result(`page.on('dialog', (dialog) => dialog.accept()); await page.getByText('ask').click()`);
    expect(await scene.result('return page.title()')).toBe('true');
    expect(listeningChanges).toContain(true);
    expect(listeningChanges.at(-1)).toBe(false);
    const { error } = await scene.run(`await page.getByText('ask').click()`, { timeoutMs: 1000 });
    expect(error?.name).toMatch(/Error/);
  });

  test('uploads a file of the service by its path, and bytes of its own', async () => {
    const code = `
      await page.setInputFiles('input[type=file]', await files.path('file_1'));
      const first = await page.evaluate(() => document.querySelector('input[type=file]').files[0].name);
      await page.setInputFiles('input[type=file]', { name: 'own.txt', mimeType: 'text/plain', buffer: Buffer.from('own') });
      return [first, await page.evaluate(() => document.querySelector('input[type=file]').files[0].text())]`;
    // What the browser was given is the path that the service named.
    expect(await scene.result(code)).toEqual(['hostname', 'own']);
    const { error } = await scene.run(`await files.path('file_9')`);
    expect(error?.message).toBe('There is no file file_9.');
  });

  test('writes files', async () => {
    written.length = 0;
    const code = `return [await files.write('a.txt', 'text', { mimeType: 'text/plain' }), await files.write('b', new Uint8Array([1, 2])), await files.write('empty', Buffer.alloc(0)), await files.write('big', Buffer.alloc(5e6, 7))]`;
    expect(await scene.result(code)).toMatchObject([
      { id: 'file_2', size: 4 },
      { size: 2 },
      { size: 0 },
      { size: 5e6 },
    ]);
    expect(written.map(({ name, mimeType }) => [name, mimeType])).toEqual([
      ['a.txt', 'text/plain'],
      ['b', undefined],
      ['empty', undefined],
      ['big', undefined],
    ]);
    expect(written[3]?.data.every((byte) => byte === 7)).toBe(true);
    for (const bad of [
      'files.write("", "x")',
      'files.write("n", {})',
      'files.write("n", Buffer.alloc(34e6))',
      'files.write("n".repeat(300), "x")',
      'files.path(7)',
    ])
      expect((await scene.run(`await ${bad}`)).ok, bad).toBe(false);
  });

  test('sees downloads, and reads them from the service', async () => {
    const code = `
      const downloadPromise = page.waitForEvent('download');
      await page.locator('#file').click();
      const download = await downloadPromise;
      await download.saveAs('copy.txt');
      const chunks = []; for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      return [download.suggestedFilename(), await download.failure(), Buffer.concat(chunks).toString()]`;
    const [name, failure, text] = (await scene.result(code)) as string[];
    expect([name, failure]).toEqual(['report.txt', null]);
    expect(text).toContain('the report');
  });

  test('makes requests of its own through the browser’s egress, with the browser’s cookies', async () => {
    await scene.result(`await context.addCookies([{ name: 'own', value: '2', url: '${site.origin}' }])`);
    const code = `
      const answer = await context.request.post('${site.origin}/echo', { data: { a: 1 } });
      const cookies = await context.cookies('${site.origin}');
      return [answer.status(), await answer.json(), cookies.map(({ name }) => name).sort(), answer]`;
    const [status, body, cookies, handle] = (await scene.result(code)) as [
      number,
      { cookie: string; method: string },
      string[],
      unknown,
    ];
    expect([status, body.method, cookies]).toEqual([200, 'POST', ['fromServer', 'own']]);
    expect(body.cookie).toContain('own=2');
    expect(handle).toEqual({ $handle: `APIResponse ${site.origin}/echo` });
    expect(await scene.result(`return (await page.request.get('${site.origin}/')).ok()`)).toBe(true);
    // A refusal of the proxy is the answer to the request.
    expect(await scene.result(`return (await context.request.get('http://elsewhere.test/')).status()`)).toBe(
      403,
    );
  });

  test('evaluates with arguments of every kind', async () => {
    const code = `return page.evaluate(([date, pattern, map]) => [date.getTime(), pattern.test('xay'), map], [new Date(5), /a/, { deep: [1n === 1n] }])`;
    expect(await scene.result(code)).toEqual([5, true, { deep: [true] }]);
    const handle = `const handle = await page.evaluateHandle(() => document.body); return [await page.evaluate((body) => body.tagName, handle), handle]`;
    expect(await scene.result(handle)).toEqual(['BODY', { $handle: 'JSHandle@node' }]);
  });

  test('opens contexts of its own', async () => {
    const code = `const other = await browser.newContext({ locale: 'de-DE' }); const tab = await other.newPage(); await tab.goto('${site.origin}/in-context');
      const title = await tab.title(); await other.close(); return [title, browser.contexts().length]`;
    expect(await scene.result(code)).toEqual(['/in-context', 1]);
  });
});
