import { expect, test } from 'vitest';
import { mistrustOf, refusalOfOurs } from './secure-site.ts';

test.each([
  ['CERT_HAS_EXPIRED', 'ERR_CERT_DATE_INVALID'],
  ['CERT_NOT_YET_VALID', 'ERR_CERT_DATE_INVALID'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_CERT_COMMON_NAME_INVALID'],
  ['SELF_SIGNED_CERT_IN_CHAIN', undefined],
])('%s is what Chromium calls %s', (code, name) => {
  expect(mistrustOf(code)?.netError).toBe(name);
});

test.each([
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'it does not take the certificate'],
  ['ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE', 'it does not take the certificate'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'it asks for a certificate'],
  ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', undefined],
  ['ECONNRESET', undefined],
])('a site that says %s says that %s', (code, message) => {
  const refusal = refusalOfOurs(Object.assign(new Error(), { code }));
  expect(refusal?.message.slice(0, message?.length)).toBe(message);
});
