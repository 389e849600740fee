import { expect, test } from 'vitest';
import { failureOfAnswer, failureOfNetwork } from './failures.ts';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

test.each([
  ['ENOTFOUND', 'host name is not known', true],
  ['EAI_AGAIN', 'host name is not known', true],
  ['ECONNREFUSED', 'nothing listens there', true],
  ['ECONNRESET', 'does not answer', true],
  ['ETIMEDOUT', 'does not answer', true],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_EXTRA_CA_CERTS', false],
  ['HPE_INVALID_CONSTANT', 'does not speak HTTP', false],
])('%s is explained', (code, words, passing) => {
  const failure = failureOfNetwork(coded(code));
  expect(failure).toMatchObject({ code: 'STORE_UNAVAILABLE', reason: code, passing });
  expect(failure.message).toContain(words);
});

test.each([
  [503, '<Error><Code>SlowDown</Code></Error>', 'SlowDown', true],
  [400, '<Error><Code>RequestTimeout</Code></Error>', 'RequestTimeout', true],
  [502, '<html>Bad gateway</html>', '502', true],
  [404, '', '404', false],
  [501, '<Error><Code>NotImplemented</Code></Error>', 'NotImplemented', false],
  [400, '<Error><Code>ExpiredToken</Code></Error>', 'ExpiredToken', false],
])('the answer %i %s is read', (status, body, reason, passing) => {
  expect(failureOfAnswer({ status, headers: {}, body })).toMatchObject({ reason, passing });
});

test('what a server says is told, but not at any length', () => {
  const body = `<Error><Code>Odd</Code><Message>it &lt;is&gt; ${'x'.repeat(5000)}</Message></Error>`;
  const { message } = failureOfAnswer({ status: 418, headers: {}, body });
  expect(message).toContain('418 Odd it <is> xx');
  expect(message.length).toBeLessThan(400);
});
