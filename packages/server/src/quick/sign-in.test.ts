import { expect, test } from 'vitest';
import { verdict } from './sign-in.ts';

const url = 'https://example.com/account';
const seen = (finalUrl: string, statusCode: number | null = 200, found: string[] = []) => ({
  finalUrl,
  statusCode,
  data: { found },
});

test.each([
  [{ url }, seen(url), 'signed_in'],
  [{ url }, seen(`${url}/?tab=1`), 'signed_in'],
  [{ url }, seen('https://example.com/login'), 'signed_out'],
  [{ url }, seen('https://login.example.com/account'), 'signed_out'],
  [{ url }, seen(url, 401), 'signed_out'],
  [{ url }, seen(url, 403), 'signed_out'],
  [{ url }, seen(url, 503), 'unknown'],
  [{ url, selector: '#user' }, seen('https://example.com/else', 200, ['']), 'signed_in'],
  [{ url, selector: '#user' }, seen(url), 'signed_out'],
  [{ url, urlPattern: 'https://example.com/acc*' }, seen(url), 'signed_in'],
  [{ url, urlPattern: 'https://example.com/acc*' }, seen('https://example.com/login'), 'signed_out'],
  [{ url, selector: '#user', urlPattern: 'https://*.com/login' }, seen(url, 200, ['x']), 'signed_out'],
] as const)('%j that ends as %j is %s', (check, found, state) => {
  expect(verdict(check, { ...found, data: { found: [...found.data.found] } })).toBe(state);
});
