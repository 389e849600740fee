import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createPublicUrl } from './public-url.ts';

const from = (host: string | undefined, localAddress = '127.0.0.1') =>
  ({ raw: { headers: { host }, socket: { localAddress, localPort: 8787 } } }) as unknown as FastifyRequest;

test('an address begins with the host that the caller used', () => {
  const url = createPublicUrl(null);
  expect(url(from('localhost:8787'), 'ws')).toBe('ws://localhost:8787');
  expect(url(from('browsers.test'), 'http')).toBe('http://browsers.test');
  expect(url(from('[::1]:99'), 'ws')).toBe('ws://[::1]:99');
});

test.each([
  undefined,
  '',
  'a b',
  'evil.test/path',
  'user@evil.test',
  'evil.test?x',
  'evil.test#x',
  'a\\b',
  '[not-v6]',
  'host:99999999',
  'host:port',
  '"quoted"',
])('a host that is none, like %j, gives way to the listener’s own', (host) => {
  expect(createPublicUrl(null)(from(host), 'ws')).toBe('ws://127.0.0.1:8787');
});

test('the listener is written as an address can be read', () => {
  const url = createPublicUrl(null);
  expect(url(from(undefined, '::1'), 'ws')).toBe('ws://[::1]:8787');
  expect(url(from(undefined, '::ffff:10.0.0.1'), 'ws')).toBe('ws://10.0.0.1:8787');
});

test('what the operator configured comes first, whatever the caller says', () => {
  const url = createPublicUrl('https://browsers.example.com/api');
  expect(url(from('evil.test'), 'ws')).toBe('wss://browsers.example.com/api');
  expect(url(from('evil.test'), 'http')).toBe('https://browsers.example.com/api');
});
