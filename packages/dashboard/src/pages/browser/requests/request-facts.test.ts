import type { api } from '@browserd/sdk';
import { expect, test } from 'vitest';
import { exactDuration, isNamed, nameOf, outcomeOf, sizeWords } from './request-facts.ts';

const plain: api.NetworkRequest = {
  id: 'request_1',
  tabId: 'A',
  from: 'page',
  method: 'GET',
  url: 'https://a.test/api/orders?id=1',
  type: 'fetch',
  state: 'finished',
  status: 200,
  startedAt: '2026-01-01T12:00:00.000Z',
  fromCache: false,
  fromServiceWorker: false,
  wireBytes: 2048,
  bodyBytes: 2000,
};

test('a request is called after the last part of its path, with its host', () => {
  expect(nameOf(plain.url)).toEqual({ name: 'orders?id=1', host: 'a.test' });
  expect(nameOf('http://a.test:81')).toEqual({ name: '/', host: 'a.test:81' });
  expect(nameOf('https://a.test/x/%E2%80%AEgpj.exe')).toEqual({ name: '%E2%80%AEgpj.exe', host: 'a.test' });
  expect(nameOf('blob:https://a.test/1')).toEqual({ name: 'blob:https://a.test/1', host: 'blob:' });
  expect(nameOf('no address')).toEqual({ name: 'no address', host: '' });
});

test('what decided about a request is its outcome: a rule before an error, an error before a status', () => {
  const failure = { kind: 'policy', error: 'net::ERR_BLOCKED_BY_ADMINISTRATOR' } as const;
  expect(outcomeOf({ ...plain, rule: 'blocked_domain', failure })).toEqual({
    text: 'blocked domain',
    tone: 'bad',
  });
  expect(outcomeOf({ ...plain, failure: { kind: 'cors', error: 'net::ERR_FAILED' } }).text).toBe('cors');
  expect(outcomeOf({ ...plain, status: 404 })).toEqual({ text: '404', tone: 'bad' });
  expect(outcomeOf({ ...plain, status: undefined, state: 'pending' })).toEqual({
    text: 'pending',
    tone: 'busy',
  });
});

test('its size says where it came from, if not from the network', () => {
  expect(sizeWords(plain)).toBe('2 KiB');
  expect(sizeWords({ ...plain, fromCache: true })).toBe('from cache');
  const webSocket = { framesSent: 1, framesReceived: 2, bytesSent: 5, bytesReceived: 9 };
  expect(sizeWords({ ...plain, webSocket })).toBe('3 frames');
});

test('short times have parts of a millisecond', () => {
  expect([0, 0.44, 9.06, 12.3, 999, 1234, 61_000].map(exactDuration)).toEqual([
    '0 ms',
    '0.4 ms',
    '9.1 ms',
    '12 ms',
    '999 ms',
    '1.23 s',
    '1 min 1 s',
  ]);
});

test('all words that were typed must be in what is shown of it', () => {
  expect(isNamed(plain, 'ORDERS get')).toBe(true);
  expect(isNamed(plain, 'orders post')).toBe(false);
  expect(isNamed({ ...plain, rule: 'blocked_domain' }, 'blocked domain')).toBe(true);
});
