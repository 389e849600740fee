import { expect, test } from 'vitest';
import { badLine, hangUp, json, refusal } from '../../tests/bad-line.ts';
import { Browserd, type BrowserdError, ConnectionError } from '../sdk.ts';

const caught = (work: Promise<unknown>): Promise<BrowserdError> =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (error) => error,
  );
const alive = json(200, { status: 'ok', version: '0.1.0', uptime: 1 });

test('a create whose connection broke is sent again with the same key, and so creates one browser', async () => {
  const line = await badLine(
    hangUp,
    refusal(503, 'STORE_UNAVAILABLE', 'retry'),
    json(201, { id: 'browser_1' }),
  );
  const browser = await line.client().browsers.create({ name: 'one' });
  expect(browser.id).toBe('browser_1');
  const keys = line.asked.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('a create that is aborted leaves no browser, unless the caller can repeat it', async () => {
  const made = json(201, { id: 'browser_1' });
  const giveUp = new AbortController();
  const line = await badLine(() => giveUp.abort(), made, json(200, {}));
  const create = line.client().browsers.create({ name: 'one' }, { signal: giveUp.signal });
  expect(await caught(create)).toBe(giveUp.signal.reason);
  await expect
    .poll(() => line.asked.map(({ method, url }) => `${method} ${url}`))
    .toEqual(['POST /v1/browsers', 'POST /v1/browsers', 'DELETE /v1/browsers/browser_1']);
  const [first, second] = line.asked;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);

  const later = new AbortController();
  const own = await badLine(() => later.abort(), made);
  const options = { signal: later.signal, idempotencyKey: 'mine' };
  await caught(own.client().browsers.create({}, options));
  expect((await own.client().browsers.create({}, { idempotencyKey: 'mine' })).id).toBe('browser_1');
  expect(own.asked).toHaveLength(2);
});

test('a script is never run twice because its connection broke, but is sent again when it was refused before it began', async () => {
  const broken = await badLine(hangUp);
  expect(await caught(broken.client().browser('browser_1').run('return 1'))).toMatchObject({
    code: 'CONNECTION_FAILED',
    nextStep: 'retry',
  });
  expect(broken.asked).toHaveLength(1);
  const busy = await badLine(
    refusal(429, 'RATE_LIMITED', 'wait', { 'retry-after': '0' }),
    json(200, { success: true, result: 1 }),
  );
  expect(await busy.client().browser('browser_1').execute('return 1')).toBe(1);
});

test('there are as many attempts as were allowed, and then the last error', async () => {
  const line = await badLine(refusal(503, 'STORE_UNAVAILABLE', 'retry'));
  expect(await caught(line.client({ maxRetries: 1 }).keys.list().page())).toMatchObject({ status: 503 });
  expect(line.asked).toHaveLength(2);
});

test('the time limit holds for the whole of an answer, and for each attempt alone', async () => {
  const line = await badLine(
    (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"status":'),
  );
  const error = await caught(line.client({ maxRetries: 0 }).health({ timeoutMs: 100 }));
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ code: 'TIMED_OUT', category: 'timeout', status: 0 });
  await expect.poll(line.open).toBe(0);
});

test('bytes only have to begin in time; a break in the middle of them is an error', async () => {
  const slow = await badLine((response) => {
    response.writeHead(200, { 'content-length': '4' }).write('ab');
    setTimeout(() => response.end('cd'), 1500);
  });
  const content = await slow.client().browser('browser_1').files.content('file_1', { timeoutMs: 1000 });
  expect(await content.text()).toBe('abcd');
  const broken = await badLine((response) => {
    response.writeHead(200, { 'content-length': '4' }).write('ab', () => response.destroy());
  });
  const half = await broken.client().browser('browser_1').files.content('file_1');
  expect(await caught(half.bytes())).toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('a signal ends the call and the connection, with its own reason', async () => {
  const line = await badLine(() => undefined);
  const reason = new Error('enough');
  const stop = new AbortController();
  const call = caught(line.client().browser('browser_1').run('return 1', { signal: stop.signal }));
  await expect.poll(line.open).toBe(1);
  stop.abort(reason);
  expect(await call).toBe(reason);
  await expect.poll(line.open).toBe(0);
});

test('a signal also ends the wait between attempts', async () => {
  const line = await badLine(refusal(429, 'RATE_LIMITED', 'wait', { 'retry-after': '20' }));
  const stop = new AbortController();
  const call = caught(line.client().health({ signal: stop.signal }));
  await expect.poll(() => line.asked.length).toBe(1);
  stop.abort(new Error('enough'));
  expect(await call).toMatchObject({ message: 'enough' });
});

test('a limit that no timer can hold is none', async () => {
  const line = await badLine(alive);
  expect(await line.client({ timeoutMs: Number.POSITIVE_INFINITY }).health()).toMatchObject({ status: 'ok' });
});

test('the page of a proxy is reported as such, whatever its status', async () => {
  for (const status of [200, 404]) {
    const line = await badLine((response) => response.writeHead(status).end('<h1>Welcome to nginx</h1>'));
    const error = await caught(line.client().browsers.get('browser_1'));
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    expect(error.message).toContain('Welcome to nginx');
    expect(line.asked).toHaveLength(1);
  }
});

test('a redirect is not followed: the key stays here, and a POST does not become a GET', async () => {
  const other = await badLine(alive);
  const line = await badLine((response) => response.writeHead(302, { location: `${other.url}/x` }).end());
  const error = await caught(line.client().browsers.create());
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 302 });
  expect(error.message).toContain(other.url);
  expect(other.asked).toEqual([]);
});

test('a client without a key is told how to set one', async () => {
  const line = await badLine(refusal(401, 'UNAUTHENTICATED', 'authenticate'));
  expect((await caught(line.client({ apiKey: '' }).keys.list().page())).message).toContain(
    'BROWSERD_API_KEY',
  );
  expect((await caught(line.client().keys.list().page())).message).toBe('UNAUTHENTICATED.');
  expect(line.asked.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer bd_test']);
});

test('a key from a file may end with a line break; a key that no header can carry is refused without being shown', async () => {
  const line = await badLine(alive);
  await line.client({ apiKey: 'bd_file\n' }).health();
  expect(line.asked[0]?.headers.authorization).toBe('Bearer bd_file');
  const error = await caught(line.client({ apiKey: 'bd_secret\nx' }).health());
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(error.message).toContain('authorization');
  expect(error.message).not.toContain('secret');
});

test('a base URL may have a path; one that is none is refused at once', async () => {
  const line = await badLine(alive);
  await line.client({ baseUrl: `${line.url}/browsers/of/mine/` }).health();
  expect(line.asked[0]?.url).toBe('/browsers/of/mine/health');
  for (const baseUrl of ['localhost:8787', 'not an address', 'http://user:pass@host', 'ftp://host', ''])
    expect(() => new Browserd({ baseUrl })).toThrow(/base URL/);
  for (const baseUrl of ['http://user:hunter2@host', 'http://:hunter2@host', 'host:hunter2@x y'])
    expect(() => new Browserd({ baseUrl })).toThrow(/^(?!.*hunter2)/);
});

test('an id is one part of the path, whatever is in it', async () => {
  const line = await badLine(json(200, {}));
  await line.client().browser('a/b?c#d e%2f').status();
  expect(line.asked[0]?.url).toBe('/v1/browsers/a%2Fb%3Fc%23d%20e%252f/status');
  for (const id of ['', '.', '..', '\ud800'])
    expect(await caught(line.client().browser(id).close())).toMatchObject({ code: 'INVALID_ARGUMENT' });
  expect(line.asked).toHaveLength(1);
});

test('a query repeats lists and spells out maps', async () => {
  const line = await badLine(json(200, { items: [], limit: 20, hasMore: false }));
  await line
    .client()
    .browsers.list({ status: ['ready', 'stopped'], metadata: { 'a b': 'c&d' } })
    .page();
  expect(line.asked[0]?.url).toBe('/v1/browsers?status=ready&status=stopped&metadata%5Ba+b%5D=c%26d');
});

test('a list is fetched as it is walked, and no further', async () => {
  const page = (n: number, more = {}) => json(200, { items: [{ n }], limit: 1, hasMore: true, ...more });
  const line = await badLine(page(1, { nextCursor: 'a' }), page(2, { nextCursor: 'b' }), page(3));
  const list = line.client().keys.list({ limit: 1 });
  expect(line.asked).toEqual([]);
  expect(await list.all(2)).toEqual([{ n: 1 }, { n: 2 }]);
  expect(line.asked.map(({ url }) => url)).toEqual(['/v1/keys?limit=1', '/v1/keys?limit=1&cursor=a']);
  expect(await list.all(0)).toEqual([]);
  expect(await list.page('b')).toMatchObject({ items: [{ n: 3 }] });
});

test('a service that is not ready says why, instead of an error', async () => {
  const line = await badLine(json(503, { status: 'draining', checks: {} }));
  expect(await line.client().ready()).toEqual({ status: 'draining', checks: {} });
  const proxy = await badLine(json(503, { message: 'no upstream' }));
  const error = await caught(proxy.client({ maxRetries: 0 }).ready());
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 503 });
});

test('waiting for a browser that failed, or was stopped, ends', async () => {
  const line = await badLine(
    json(200, { id: 'browser_1', status: 'creating' }),
    json(200, { id: 'browser_1', status: 'failed', statusReason: 'no room' }),
    json(200, { id: 'browser_1', status: 'stopped' }),
  );
  const browser = line.client().browser('browser_1');
  const failed = await caught(browser.whenReady());
  expect(failed).toMatchObject({ code: 'BROWSER_NOT_READY', nextStep: 'create_browser' });
  expect(failed.message).toContain('no room');
  expect(await caught(browser.whenReady())).toMatchObject({ nextStep: 'resume_browser' });
});

test('when a block and its closing both fail, both errors are there', async () => {
  const line = await badLine(refusal(500, 'INTERNAL', 'retry'));
  const client = line.client({ maxRetries: 0 });
  const work = async () => {
    await using _browser = client.browser('browser_1');
    throw new Error('mine');
  };
  expect(await caught(work())).toMatchObject({
    error: { code: 'INTERNAL' },
    suppressed: { message: 'mine' },
  });
  const gone = await badLine(refusal(404, 'BROWSER_NOT_FOUND', 'fix_request'));
  await gone.client().browser('browser_1')[Symbol.asyncDispose]();
});
