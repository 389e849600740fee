import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aBrowser } from '../../../tests/support/samples.ts';
import { browserExample } from '../routes/browser-examples.ts';
import { startTestService, type TestService } from '../test-service.ts';

/** How an upload travels: asked for in time, patiently, and answered even where it is refused. */
let service: TestService;
let path: string;
let files: string;

beforeAll(async () => {
  service = await startTestService({ BROWSERD_REQUEST_TIMEOUT: '2500ms', BROWSERD_UPLOAD_LIMIT: '1MiB' });
  const record = aBrowser({ projectId: service.projectId });
  await service.store.browsers.insert(record, []);
  service.browsers.records.set(record.id, { ...browserExample, id: record.id });
  files = `/v1/browsers/${record.id}/files`;
  path = `${files}?name=a.txt`;
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  expect(service.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

const begin = (headers: Record<string, string | number>, to = path): ClientRequest => {
  const call = request(service.url + to, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
  call.on('error', () => undefined);
  return call;
};

const answerTo = async (call: ClientRequest) => {
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const body = JSON.parse(await text(response));
  return { status: response.statusCode, code: body.error?.code, body, headers: response.headers };
};

describe('a sender that waits to be asked', () => {
  test('is asked, once', async () => {
    const call = begin({ expect: '100-continue', 'content-length': 5 });
    call.flushHeaders();
    let asked = 0;
    call.on('continue', () => {
      asked++;
      call.end('hello');
    });
    expect(await answerTo(call)).toMatchObject({ status: 201, body: { size: 5 } });
    expect(asked).toBe(1);
  });

  test.each([
    ['too much', { 'content-length': 2_000_000 }, undefined, 'PAYLOAD_TOO_LARGE'],
    [
      'a form with too much',
      { 'content-length': 2_000_000, 'content-type': 'multipart/form-data; boundary=x' },
      undefined,
      'PAYLOAD_TOO_LARGE',
    ],
    ['something without a name', { 'content-length': 5 }, '', 'VALIDATION_FAILED'],
    [
      'something with a wrong key',
      { 'content-length': 5, authorization: 'Bearer wrong' },
      undefined,
      'UNAUTHENTICATED',
    ],
    [
      'something compressed',
      { 'content-length': 5, 'content-encoding': 'gzip' },
      undefined,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ])('is not asked for %s', async (_what, headers, query, code) => {
    const call = begin({ expect: '100-continue', ...headers }, query === '' ? files : path);
    call.flushHeaders();
    let asked = false;
    call.on('continue', () => {
      asked = true;
    });
    const answer = await answerTo(call);
    expect(answer).toMatchObject({ code, headers: { connection: 'close' } });
    expect(asked).toBe(false);
    call.destroy();
  });

  test('is asked for JSON too', async () => {
    const call = begin(
      {
        expect: '100-continue',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'content-length': 2,
      },
      '/v1/browsers',
    );
    call.flushHeaders();
    await once(call, 'continue');
    call.end('{}');
    expect(await answerTo(call)).toMatchObject({ status: 201 });
  });
});

describe('a slow sender', () => {
  test('is waited for as long as its bytes come on', async () => {
    const call = begin({});
    let sent = 0;
    const beginning = performance.now();
    // twice the time for a whole request
    while (performance.now() - beginning < 5000) {
      call.write(Buffer.alloc(20_000, 'a'));
      sent += 20_000;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    call.end();
    expect(await answerTo(call)).toMatchObject({ status: 201, body: { size: sent } });
  });

  test('that falls silent is told so, and nothing of it stays', async () => {
    const call = begin({ 'content-length': 100_000 });
    call.write(Buffer.alloc(50_000, 'a'));
    expect(await answerTo(call)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
    const used = () => service.store.artifacts.usage(service.projectId);
    const before = await used();
    await service.artifacts[Symbol.asyncDispose]();
    expect(await used()).toBe(before);
  });
});

describe('a refusal midway', () => {
  test('reaches a sender that did not say how much it sends', async () => {
    const call = begin({});
    for (let n = 0; n < 30; n++) call.write(Buffer.alloc(100_000, 'a'));
    call.end();
    expect(await answerTo(call)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  });

  test('leaves the connection fit for the next request', async () => {
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`;
    const tooLarge = `${head}Content-Length: 3000000\r\n\r\n${'a'.repeat(3_000_000)}`;
    const form = `${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n${'a'.repeat(900_000)}`;
    const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${`10000\r\n${'a'.repeat(65_536)}\r\n`.repeat(40)}0\r\n\r\n`;
    const next = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    for (const [bytes, status] of [
      [tooLarge, 413],
      [chunked, 413],
      [form, 400],
    ] as const)
      expect((await service.raw(bytes + next)).match(/HTTP\/1\.1 \d+/g)).toEqual([
        `HTTP/1.1 ${status}`,
        'HTTP/1.1 200',
      ]);
  });
});

describe('a form', () => {
  const upload = (form: FormData, to = files) => service.call(to, { method: 'POST', body: form });

  test('as any client sends it is stored under its name', async () => {
    const form = new FormData();
    form.append('file', new Blob(['hello'], { type: 'text/css' }), 'ünï"\r\n.css');
    const answer = await upload(form);
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ name: 'ünï_.css', size: 5, mimeType: 'text/css' });
    expect(answer.headers.get('location')).toMatch(/^\/v1\/browsers\/browser_\w+\/files\/file_\w+$/);
  });

  test('takes the name of the address before its own', async () => {
    const form = new FormData();
    form.append('file', new Blob(['hello']), 'form.txt');
    expect(await (await upload(form, path)).json()).toMatchObject({ name: 'a.txt' });
  });

  test('with a field that means nothing is refused by its name, and stores nothing', async () => {
    const used = await service.store.artifacts.usage(service.projectId);
    const form = new FormData();
    form.append('file', new Blob(['hello']), 'a.txt');
    form.append('comment', 'x');
    const answer = await upload(form);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { code: 'VALIDATION_FAILED', details: { issues: [{ path: 'comment' }] } },
    });
    expect(await service.store.artifacts.usage(service.projectId)).toBe(used);
  });
});

test.each(['application/json', 'application/x-www-form-urlencoded', ';;;', 'nonsense', 'text/x-own; q="'])(
  'a body sent as %j is a file like any other',
  async (type) => {
    const answer = await service.call(path, {
      method: 'POST',
      body: '{"a":',
      headers: { 'content-type': type },
    });
    expect([answer.status, ((await answer.json()) as { size: number }).size]).toEqual([201, 5]);
  },
);
