/**
 * Headers as they may be shown: the values of those that carry credentials are hidden. Which do is told by their names,
 * and by values that begin like credentials, because every service names its keys in its own way.
 */
export const masked = '•••';

const secretWords = new Set([
  ...['auth', 'authentication', 'authorization', 'bearer', 'cookie', 'cookies', 'cookie2', 'credential'],
  ...[
    'credentials',
    'jwt',
    'pass',
    'passwd',
    'password',
    'pwd',
    'sid',
    'session',
    'signature',
    'token',
    'tokens',
  ],
]);
const secretEnds = /(auth|cookie|key|keys|password|secret|secrets|session|sessionid|sig|signature|token)$/;
const secretValue = /^\s*(aws4-hmac-sha256|basic|bearer|digest|negotiate|ntlm|token)\s/i;

/** `X-Api-Key`, `apikey`, `X-CSRF-Token`, `Ocp-Apim-Subscription-Key`; not `X-Author` or `X-Keyboard`. */
export const isSecretHeader = (name: string): boolean =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .some((word) => secretWords.has(word) || secretEnds.test(word));

/** It begins like credentials. */
export const isSecretValue = (value: string): boolean => secretValue.test(value);

export const maskHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretHeader(name) || isSecretValue(String(value)) ? masked : value,
    ]),
  );
