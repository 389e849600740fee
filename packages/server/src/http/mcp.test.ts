import { describe, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from './test-service.ts';

const accept = 'application/json, text/event-stream';
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

interface Sent {
  body?: unknown;
  key?: string | null;
  headers?: Record<string, string>;
}

const post = (service: TestService, { body = ping, key, headers }: Sent = {}): Promise<Response> =>
  service.call('/mcp', {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(key !== undefined && { key }),
    headers: { accept, 'content-type': 'application/json', ...headers },
  });

/** The message in the one event of an answer. */
const messageIn = async (response: Response) =>
  JSON.parse(/^data: (.+)$/m.exec(await response.text())?.[1] ?? 'null');

const listBrowsers = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: 'browser_list', arguments: {} },
};

describe('POST /mcp', () => {
  test('needs a key, like every call', async () => {
    await using service = await startTestService();
    for (const key of [null, 'bd_wrong']) {
      const refused = await post(service, { key });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await refused.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    }
    const answered = await post(service);
    expect([answered.status, await messageIn(answered)]).toEqual([
      200,
      { jsonrpc: '2.0', id: 1, result: {} },
    ]);
  });

  test('takes long texts, and no message of thousands of values, which its schemas would copy in one piece', async () => {
    await using service = await startTestService();
    const params = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 1]));
    const long = { ...ping, params: { _meta: { text: 'x'.repeat(500_000) } } };
    expect((await post(service, { body: long })).status).toBe(200);
    const many = await post(service, { body: { ...ping, params: params(6000) } });
    expect(many.status).toBe(400);
    expect(await many.json()).toMatchObject({
      error: { code: 'INVALID_JSON', message: expect.stringContaining('more than 5000 values') },
    });
  });

  test('acts with the key of its caller, whatever the environment holds', async () => {
    vi.stubEnv('BROWSERD_API_KEY', 'bd_not_the_callers');
    vi.stubEnv('BROWSERD_URL', 'http://127.0.0.1:1');
    await using service = await startTestService();
    await service.create('one');
    const { result } = await messageIn(await post(service, { body: listBrowsers }));
    expect(result.structuredContent.browsers).toHaveLength(1);
    expect(service.browsers.calls.at(-1)).toMatchObject(['list', service.projectId, {}]);
    vi.unstubAllEnvs();
  });

  test.for(['127.0.0.1', '0.0.0.0', '::1', '::', 'localhost'])(
    'finds its own service on %s',
    async (host) => {
      await using service = await startTestService({ BROWSERD_HOST: host });
      const { result } = await messageIn(await post(service, { body: listBrowsers }));
      expect(result).toMatchObject({ structuredContent: { browsers: [] } });
    },
  );

  test('turns away web pages of other origins, by name, not by agreement with Host', async () => {
    await using service = await startTestService({ BROWSERD_PUBLIC_URL: 'https://browsers.example.com/b' });
    const from = async (origin: string) => (await post(service, { headers: { origin } })).status;
    const port = new URL(service.url).port;
    for (const own of ['https://browsers.example.com', 'http://localhost:3000', `http://127.0.0.1:${port}`])
      expect([own, await from(own)]).toEqual([own, 200]);
    const others = [
      'https://evil.example',
      'http://browsers.example.com',
      'null',
      'http://localhost.evil.example',
    ];
    for (const other of others) expect([other, await from(other)]).toEqual([other, 403]);
    const rebound = await service.raw(
      `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(rebound).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('lets models choose private addresses and proxies only where the operator says so', async () => {
    const listTools = { ...ping, method: 'tools/list' };
    const chosen = { policy: { privateAccess: { localhost: true } } };
    const params = { name: 'browser_create', arguments: chosen };
    for (const [setting, open] of [
      ['off', false],
      ['on', true],
    ] as const) {
      await using service = await startTestService({ BROWSERD_MCP_PRIVATE_ACCESS: setting });
      const listed = JSON.stringify(await messageIn(await post(service, { body: listTools })));
      expect([listed.includes('"privateAccess"'), listed.includes('"proxy"')]).toEqual([open, open]);
      const called = await messageIn(await post(service, { body: { ...listBrowsers, params } }));
      expect([setting, called.result?.isError ?? false]).toEqual([setting, !open]);
      expect(service.browsers.calls).toEqual(
        open ? [['create', service.projectId, expect.objectContaining(chosen), expect.anything()]] : [],
      );
    }
  });

  test('refuses what is no message of the protocol', async () => {
    await using service = await startTestService({ BROWSERD_BODY_LIMIT: '64KiB' });
    const refused = async (sent: Sent) => {
      const answer = await post(service, sent);
      return [answer.status, ((await answer.json()) as { error: { code: unknown } }).error.code];
    };
    expect(await refused({ body: '{' })).toEqual([400, 'INVALID_JSON']);
    expect(await refused({ body: '' })).toEqual([400, 'INVALID_JSON']);
    expect(await refused({ body: [ping, ping] })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refused({ body: { ...ping, jsonrpc: '1.0' } })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refused({ body: `{"jsonrpc":"2.0","__proto__":{}}` })).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refused({ body: '['.repeat(10_000) })).toEqual([400, 'INVALID_JSON']);
    expect(await refused({ body: { ...ping, params: 'x'.repeat(65_536) } })).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
    expect(await refused({ headers: { 'content-type': 'text/plain' } })).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(await refused({ headers: { accept: 'text/html' } })).toEqual([406, -32000]);
    expect(await messageIn(await post(service, { body: { ...ping, method: 'no/such' } }))).toMatchObject({
      id: 1,
      error: { code: -32601 },
    });
    for (const body of [
      { jsonrpc: '2.0' },
      { ...ping, id: {} },
      { ...ping, method: 7 },
      { ...ping, params: [] },
    ])
      expect([body, (await post(service, { body })).status]).toEqual([body, 400]);
  });

  test('has nothing to GET or DELETE, as there are no sessions', async () => {
    await using service = await startTestService();
    for (const method of ['GET', 'DELETE']) {
      const answer = await service.call('/mcp', { method, headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test('counts against the limit of the key, and takes nothing new while the service stops', async () => {
    await using service = await startTestService({ BROWSERD_RATE_LIMIT: '3' });
    const statuses = [];
    const foreign = { origin: 'https://evil.example' };
    for (const headers of [{}, {}, foreign, foreign])
      statuses.push((await post(service, { headers })).status);
    expect(statuses).toEqual([200, 200, 403, 429]);
    await using stopping = await startTestService();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    stopping.browsers.gate = () => gate;
    const running = stopping.create('running');
    await expect.poll(() => stopping.browsers.calls.length).toBe(1);
    const drained = stopping.http.drain(60_000);
    expect((await post(stopping)).status).toBe(503);
    open();
    await running;
    await drained;
  });

  test('ends its calls when its caller hangs up', async () => {
    await using service = await startTestService();
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    service.browsers.gate = () => gate;
    const cutShort: (string | undefined)[] = [];
    service.http.app.server.on('request', ({ url }, response) =>
      response.once('close', () => {
        if (!response.writableFinished) cutShort.push(url);
      }),
    );
    const hangUp = new AbortController();
    const params = { name: 'browser_create', arguments: {} };
    const call = service.call('/mcp', {
      method: 'POST',
      signal: hangUp.signal,
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify({ ...listBrowsers, params }),
    });
    await expect.poll(() => service.browsers.calls.length).toBe(1);
    hangUp.abort();
    await call.catch(() => undefined);
    await expect.poll(() => cutShort).toEqual(['/mcp', '/v1/browsers']);
    open();
  });
});
