import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from './test-service.ts';

/** Bytes that two readers could take for different requests: what hides in a body must never be answered. */
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ BROWSERD_REQUEST_TIMEOUT: '5s' });
});
afterAll(() => service[Symbol.asyncDispose]());

const hidden = (): string =>
  `GET /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`;

let sent = 0;
const post = (headers: string, version = '1.1'): string =>
  `POST /v1/browsers HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n` +
  `Idempotency-Key: smuggled-${sent++}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;

const statusesIn = (answer: string): string[] => answer.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

const chunked = 'Transfer-Encoding: chunked';
const none = '0\r\n\r\n';

describe('a request whose end is not clear is refused, and nothing after it is read', () => {
  test.each<[string, string, string, string?]>([
    ['a length before chunks', `Content-Length: 200\r\n${chunked}`, none],
    ['chunks before a length', `${chunked}\r\nContent-Length: 4`, none],
    ['a coding that is nearly chunked', 'Transfer-Encoding: xchunked', none],
    ['chunks within nothing', 'Transfer-Encoding: chunked, identity', none],
    ['nothing within chunks', 'Transfer-Encoding: identity, chunked', none],
    ['compression within chunks', 'Transfer-Encoding: gzip, chunked', none],
    ['chunks twice', 'Transfer-Encoding: chunked, chunked', none],
    ['two codings in two lines', `${chunked}\r\nTransfer-Encoding: identity`, none],
    ['a coding behind a control character', 'Transfer-Encoding: \x0bchunked', none],
    ['a space before the colon', 'Transfer-Encoding : chunked', none],
    ['a folded line', 'Transfer-Encoding:\r\n chunked', none],
    ['no coding at all, by name', 'Transfer-Encoding: identity', ''],
    ['a length with a sign', 'Content-Length: +2', '{}'],
    ['a length in hex', 'Content-Length: 0x2', '{}'],
    ['a length that is a list', 'Content-Length: 2, 2', '{}'],
    ['a length twice', 'Content-Length: 2\r\nContent-Length: 2', '{}'],
    ['a length below zero', 'Content-Length: -1', ''],
    ['a length beyond number', 'Content-Length: 99999999999999999999', ''],
    ['a length that is empty', 'Content-Length:', ''],
    ['a chunk below zero', chunked, '-1\r\n'],
    ['a chunk in the wrong notation', chunked, `0x2\r\n{}\r\n${none}`],
    ['a chunk beyond number', chunked, `FFFFFFFFFFFFFFFFF2\r\n{}\r\n${none}`],
    ['a chunk with half a line end', chunked, `2\n{}\r\n${none}`],
    ['a chunk extension with half a line end', chunked, `2;a\n{}\r\n${none}`],
    ['a chunk without an end', chunked, `2\r\n{}${none}`],
    ['a length behind the chunks', chunked, '2\r\n{}\r\n0\r\nContent-Length: 100\r\n\r\n'],
    ['chunks in HTTP/1.0', chunked, none, '1.0'],
  ])('%s', async (_name, headers, body, version) => {
    const answer = await service.raw(post(headers, version) + body + hidden());
    expect(statusesIn(answer)).toEqual(['400']);
    expect(answer).toContain('"INVALID_REQUEST"');
  });

  test.each([
    ['of another age', 'GET /health\r\n\r\n'],
    ['of another version', 'GET /health HTTP/2.0\r\nHost: x\r\n\r\n'],
    ['for two hosts', 'GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n'],
  ])('one %s', async (_name, bytes) => {
    expect(await service.raw(bytes)).toContain('"INVALID_REQUEST"');
  });
});

describe('a body that is not wanted', () => {
  test.each([
    ['without a key', 'POST /v1/browsers', ''],
    ['at no path', 'POST /nowhere', ''],
    ['with the wrong method', 'PUT /health', ''],
    ['of a GET', 'GET /health', ''],
    ['of the wrong type', 'POST /v1/keys', 'Content-Type: text/plain'],
  ])('is not taken for the next request: %s', async (_name, line, header) => {
    const key = header && `Authorization: Bearer ${service.key}\r\n${header}\r\n`;
    const head = `${line} HTTP/1.1\r\nHost: x\r\n${key}Content-Length: ${hidden().length}\r\n\r\n`;
    const last = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await service.raw(head + hidden() + last);
    expect(answer).not.toContain('"projectId"');
    expect(statusesIn(answer).length).toBeLessThanOrEqual(2);
  });
});

test('an upgrade that nobody offered is none', async () => {
  const bytes = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n';
  expect(statusesIn(await service.raw(bytes))).toEqual(['200']);
});

describe('many requests on one connection', () => {
  const get = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

  test('are answered in order, as long as they are not too many', async () => {
    const answer = await service.raw(
      get.repeat(20) + get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    expect(statusesIn(answer)).toEqual(Array(21).fill('200'));
  });

  test('are answered up to a limit, and the last answer says that it is the last', async () => {
    const answer = await service.raw(get.repeat(5000));
    expect(statusesIn(answer)).toEqual(Array(32).fill('200'));
    expect(answer.match(/connection: close/gi)).toHaveLength(1);
  });

  test('and one after the other may be as many as they like', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    for (let n = 0; n < 100; n++) {
      const answered = new Promise((resolve) => socket.once('data', resolve));
      socket.write(get);
      expect(String(await answered)).toContain('HTTP/1.1 200');
    }
    socket.destroy();
  });
});
