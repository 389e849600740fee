import { expect, test } from 'vitest';
import { navigationVerdict } from './exit-troubles.ts';

const troubles = {
  refusals: [{ host: '10.1.2.3', url: 'http://10.1.2.3/', rule: 'private_address' }],
  unreachable: [],
};
const verdictOn = (message: string) => navigationVerdict({ message }, troubles)?.code;

test.each([
  ['net::ERR_EMPTY_RESPONSE at http://10.1.2.3/', 'POLICY_BLOCKED'],
  // the exit hung up at a moment for which Chromium has another name
  ['net::ERR_CONNECTION_ABORTED at http://10.1.2.3/', 'POLICY_BLOCKED'],
  ['net::ERR_TOO_MANY_REDIRECTS at http://10.1.2.3/other', 'NAVIGATION_FAILED'],
  ['net::ERR_EMPTY_RESPONSE at http://10.9.9.9/', 'NAVIGATION_FAILED'],
])('%s, where the exit refused http://10.1.2.3/, is %s', (message, code) => {
  expect(verdictOn(message)).toBe(code);
});

test('what names no failure of the network has no verdict', () => {
  expect(verdictOn('Timeout 30000ms exceeded')).toBeUndefined();
});
