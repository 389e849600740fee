import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Target } from '../policy/policy.ts';
import { Outcomes } from './outcomes.ts';

const target = (host: string, port: number): Target => ({ scheme: 'tunnel', host, port });
const remote = (remoteAddress: string, remotePort: number) => ({ remoteAddress, remotePort }) as Socket;

test('a place is found under every address that leads there, and under no other', () => {
  const outcomes = new Outcomes();
  outcomes.reached(target('example.com', 443), remote('93.184.215.14', 443));
  outcomes.reached(target('::1', 8080), remote('::1', 8080));
  const address = { ip: '93.184.215.14', port: 443 };
  for (const url of [
    'https://example.com/a?b#c',
    'https://EXAMPLE.com:443',
    'wss://example.com',
    'https://ann:secret@example.com/@elsewhere',
    `https://example.com/${'x'.repeat(5000)}`,
  ])
    expect([url, outcomes.at(url)]).toEqual([url, { address }]);
  expect(outcomes.at('http://[::1]:8080/')).toEqual({ address: { ip: '::1', port: 8080 } });
  for (const url of [
    'http://example.com/',
    'https://example.com:8443/',
    'https://www.example.com/',
    'data:text/html,https://example.com/',
    'https://:443/',
    '',
  ])
    expect([url, outcomes.at(url)]).toEqual([url, undefined]);
});

test('the last failure counts until the policy refuses the place, and the address stays', () => {
  const outcomes = new Outcomes();
  const place = target('example.com', 80);
  const at = () => outcomes.at('http://example.com/');
  outcomes.failed(place, 'ERR_NAME_NOT_RESOLVED');
  expect(at()).toEqual({ netError: 'ERR_NAME_NOT_RESOLVED' });
  outcomes.reached(place, remote('93.184.215.14', 80));
  outcomes.failed(place, 'ERR_CONNECTION_RESET');
  const address = { ip: '93.184.215.14', port: 80 };
  expect(at()).toEqual({ address, netError: 'ERR_CONNECTION_RESET' });
  outcomes.failed(place, undefined);
  expect(at()).toEqual({ address });
});

test('a page that names places without end makes the oldest forgotten', () => {
  const outcomes = new Outcomes();
  outcomes.failed(target('used.example', 80), 'ERR_EMPTY_RESPONSE');
  for (let i = 0; i < 1000; i++) {
    outcomes.failed(target(`${i}.example`, 80), 'ERR_NAME_NOT_RESOLVED');
    outcomes.failed(target('used.example', 80), 'ERR_EMPTY_RESPONSE');
  }
  expect(outcomes.at('http://0.example/')).toBeUndefined();
  expect(outcomes.at('http://used.example/')).toBeDefined();
  expect(outcomes.at('http://999.example/')).toBeDefined();
});
