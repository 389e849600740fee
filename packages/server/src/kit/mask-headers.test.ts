import { expect, test } from 'vitest';
import { isSecretHeader, masked, maskHeaders } from './mask-headers.ts';

test.each([
  ...['Authorization', 'authorization', 'Proxy-Authorization', 'Cookie', 'cookie2', 'Set-Cookie'],
  ...['X-Api-Key', 'apikey', 'APIKey', 'X-Goog-Api-Key', 'Ocp-Apim-Subscription-Key', 'x_functions_key'],
  ...['X-Auth-Token', 'X-CSRF-Token', 'X-Amz-Security-Token', 'xAccessToken', 'CF-Access-Client-Secret'],
  ...['X-Auth', 'X-Password', 'X-Session-Id', 'X-Hub-Signature', 'X-Amz-Signature', 'X-JWT', 'Private.Token'],
])('the value of %s is hidden', (name) => {
  expect(isSecretHeader(name)).toBe(true);
});

test.each([
  'Accept',
  'Accept-Language',
  'X-Team',
  'X-Author',
  'X-Keyboard',
  'User-Agent',
  'X-Passenger',
  'DNT',
])('the value of %s is shown', (name) => {
  expect(isSecretHeader(name)).toBe(false);
});

test('a value that begins like credentials is hidden under any name', () => {
  expect(maskHeaders({ 'X-A': 'Bearer abc', 'X-B': ' basic dTpw', 'X-C': 'basics', Accept: '*/*' })).toEqual({
    'X-A': masked,
    'X-B': masked,
    'X-C': 'basics',
    Accept: '*/*',
  });
});
