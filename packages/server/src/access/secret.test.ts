import { expect, test } from 'vitest';
import { hashOf, newSecret } from './secret.ts';

test('a secret is bd_ and 43 base62 characters', () => {
  for (let i = 0; i < 200; i++) expect(newSecret()).toMatch(/^bd_[0-9A-Za-z]{43}$/);
});

test('small and large random bytes give secrets of the same length', () => {
  expect(newSecret(Buffer.alloc(32, 0))).toBe(`bd_${'0'.repeat(43)}`);
  expect(newSecret(Buffer.alloc(32, 255))).toMatch(/^bd_[0-9A-Za-z]{43}$/);
});

test('different bytes give different secrets', () => {
  const one = Buffer.alloc(32);
  one[31] = 1;
  expect(newSecret(one)).toBe(`bd_${'0'.repeat(42)}1`);
  expect(new Set(Array.from({ length: 500 }, () => newSecret())).size).toBe(500);
});

test('the hash is SHA-256 in hex', () => {
  expect(hashOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
