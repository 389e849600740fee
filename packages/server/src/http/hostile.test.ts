import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from './test-service.ts';

/** Broken and hostile requests on the bare socket. One service for all: it must live through every one of them. */
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ BROWSERD_REQUEST_TIMEOUT: '3s', BROWSERD_BODY_LIMIT: '1MiB' });
});

afterAll(async () => {
  const { status } = await service.call('/health');
  await service[Symbol.asyncDispose]();
  expect(status).toBe(200);
  expect(service.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

async function refusalOf(bytes: string): Promise<string> {
  const answer = await service.raw(bytes);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  const { error } = JSON.parse(body);
  expect(Object.keys(error)).toEqual(['code', 'message', 'details', 'category', 'nextStep']);
  expect(head.toLowerCase()).toContain(`x-request-id: ${error.details.requestId}`.toLowerCase());
  expect(head.toLowerCase()).toContain('content-type: application/json');
  return `${head.split(' ')[1]} ${error.code}`;
}

const get = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.key}\r\n${headers}\r\n`;

let keys = 0;
const post = (
  body: string,
  { type = 'application/json', headers = '', length = Buffer.byteLength(body, 'latin1') } = {},
) =>
  `POST /v1/browsers HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${service.key}\r\n` +
  `Idempotency-Key: key${keys++}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${headers}\r\n${body}`;

describe('what is not HTTP', () => {
  test.each([
    ['words', 'hello there\r\n\r\n'],
    ['the start of a TLS session', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header with a space in its name', 'GET / HTTP/1.1\r\nHost: x\r\nx y: 1\r\n\r\n'],
    ['a null byte in the path', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a null byte in a header', 'GET / HTTP/1.1\r\nHost: x\r\nx: a\0b\r\n\r\n'],
    ['lines without carriage return', 'GET / HTTP/1.1\nHost: x\n\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'an expectation nobody knows',
      'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: more\r\n\r\n',
    ],
  ])('%s is refused', async (_name, bytes) => {
    expect(await refusalOf(bytes)).toBe('400 INVALID_REQUEST');
  });

  test('a chunk that is none is refused', async () => {
    const bytes = post('', { headers: 'Transfer-Encoding: chunked\r\n' }).replace(
      /Content-Length: 0\r\n/,
      '',
    );
    expect(await refusalOf(`${bytes}zz\r\n`)).toBe('400 INVALID_REQUEST');
  });

  test('CONNECT is refused', async () => {
    expect(await refusalOf('CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n')).toBe('405 METHOD_NOT_ALLOWED');
  });

  test.each(['OPTIONS', 'TRACE', 'PROPFIND', 'PUT'])('%s is refused', async (method) => {
    expect(await refusalOf(get('/v1/browsers').replace('GET', method))).toBe('405 METHOD_NOT_ALLOWED');
  });
});

describe('too much or too slow', () => {
  test('header fields', async () => {
    expect(await refusalOf(get('/health', `x: ${'a'.repeat(20_000)}\r\n`))).toBe('431 HEADERS_TOO_LARGE');
  });

  test('an address', async () => {
    expect(await refusalOf(get(`/v1/browsers?cursor=${'a'.repeat(9000)}`))).toBe('400 INVALID_REQUEST');
    expect(await refusalOf(get(`/${'a'.repeat(20_000)}`))).toBe('431 HEADERS_TOO_LARGE');
  });

  test('a body, announced or sent', async () => {
    expect(await refusalOf(post('{}', { length: 5_000_000 }))).toBe('413 PAYLOAD_TOO_LARGE');
    // with time enough: on a busy machine so much is not sent within the short time-out of the others
    await using patient = await startTestService({ BROWSERD_BODY_LIMIT: '1MiB' });
    const body = JSON.stringify('a'.repeat(20_000_000));
    for (let i = 0; i < 3; i++) expect((await patient.create(`big${i}`, body)).status).toBe(413);
  });

  test('after a body that was too large the connection goes on', async () => {
    const tooLarge = post('a'.repeat(3_000_000)).replace('Connection: close\r\n', '');
    const answer = await service.raw(tooLarge + get('/health'));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('headers that never end, or a body that does not come', async () => {
    expect(await refusalOf('GET /health HTTP/1.1\r\nHost: x\r\n')).toBe('408 REQUEST_TIMEOUT');
    expect(await refusalOf(post('{', { length: 10 }))).toBe('408 REQUEST_TIMEOUT');
  });
});

describe('a body', () => {
  test.each([
    ['nothing', '', 'INVALID_JSON'],
    ['half of an object', '{"name":', 'INVALID_JSON'],
    ['bytes that are not UTF-8', '{"name":"\xff"}', 'INVALID_JSON'],
    ['100,000 levels of objects', '{"a":'.repeat(100_000), 'INVALID_JSON'],
    ['200,000 levels of lists', '['.repeat(200_000) + ']'.repeat(200_000), 'INVALID_JSON'],
    ['null', 'null', 'VALIDATION_FAILED'],
    ['a list', '[]', 'VALIDATION_FAILED'],
    ['a field that is unknown', '{"colour":1}', 'VALIDATION_FAILED'],
    ['__proto__', '{"__proto__":{"name":"x"}}', 'VALIDATION_FAILED'],
    ['constructor', '{"metadata":{"constructor":"x"}}', 'VALIDATION_FAILED'],
    ['a null character', '{"name":"a\\u0000"}', 'VALIDATION_FAILED'],
    ['half of a character', '{"name":"\\ud800"}', 'VALIDATION_FAILED'],
    ['numbers beyond number', '{"maxDuration":1e999}', 'VALIDATION_FAILED'],
  ])('of %s is refused', async (_name, body, code) => {
    expect(await refusalOf(post(body))).toBe(`400 ${code}`);
  });

  test.each([
    [{ type: 'text/xml' }],
    [{ type: 'application/x-www-form-urlencoded' }],
    [{ type: ';;;' }],
    [{ type: 'application/json; charset=iso-8859-1' }],
    [{ headers: 'Content-Encoding: gzip\r\n' }],
    [{ headers: 'Content-Encoding: identity, br\r\n' }],
  ])('as %j is refused', async (options) => {
    expect(await refusalOf(post('{}', options))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });

  test('where none belongs is refused', async () => {
    const bytes = post('{"force":true}').replace(
      'POST /v1/browsers',
      'DELETE /v1/browsers/browser_01ja9q4m8h2f7t3k5w6x8y0z1a',
    );
    expect(await refusalOf(bytes)).toBe('400 VALIDATION_FAILED');
  });
});

describe('an address', () => {
  test.each([
    '..%2f..%2fetc%2fpasswd',
    'browser_%00',
    'a'.repeat(4096),
    'browser_01JA9Q4M8H2F7T3K5W6X8Y0Z1A',
    'key_01ja9q4m8h2f7t3k5w6x8y0z1a',
    '%27%20or%201=1--',
    '__proto__',
    '%F0%9F%98%80',
  ])('with the id %s finds nothing', async (id) => {
    expect(await refusalOf(get(`/v1/browsers/${id}`))).toBe('404 BROWSER_NOT_FOUND');
    expect(await refusalOf(get(`/v1/browsers/${id}/status`))).toBe('404 BROWSER_NOT_FOUND');
    const keyPath = `/v1/keys/${id.replace('key_', 'bad_')}`;
    expect(await refusalOf(get(keyPath).replace('GET', 'DELETE'))).toBe('404 KEY_NOT_FOUND');
  });

  test.each([
    '/v1/browsers/%',
    '/v1/browsers/%zz',
    '/v1/browsers/%c0%af',
    '/v1/browsers?cursor=%zz',
    '/v1/browsers?metadata[a]=%00',
  ])('%s holds an escape that is none, or a null character', async (path) => {
    expect(await refusalOf(get(path))).toBe('400 INVALID_REQUEST');
  });

  test('with a hostile Host changes nothing', async () => {
    const bytes = get('/docs').replace('Host: x', 'Host: []"><script>alert(1)</script>');
    const answer = await service.raw(bytes);
    expect(answer).toContain('HTTP/1.1 200');
    expect(answer).not.toContain('alert(1)');
  });

  test('is answered once, however early', async () => {
    const bytes = post('', { length: 3_000_000 }).replace('Connection: close\r\n', '');
    const answer = await service.raw(bytes);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
  });
});
