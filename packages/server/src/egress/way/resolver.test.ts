import { expect, test } from 'vitest';
import { resolveBySystem } from './resolver.ts';

test('the hosts file counts, and those who ask together share an answer', async () => {
  const first = resolveBySystem('localhost');
  expect(resolveBySystem('localhost')).toBe(first);
  const addresses = await first;
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(['127.0.0.1', '::1']).toContain(address);
  expect(await resolveBySystem('localhost')).toBe(addresses);
});

test('a failure is not kept', async () => {
  const first = resolveBySystem('a..b');
  await expect(first).rejects.toThrow();
  const second = resolveBySystem('a..b');
  expect(second).not.toBe(first);
  await expect(second).rejects.toThrow();
});
