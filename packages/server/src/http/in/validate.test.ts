import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiError } from '../../errors.ts';
import { validatorCompiler } from './validate.ts';

const schema = z.strictObject({
  width: z.int().min(1).optional(),
  cookies: z.array(z.strictObject({ name: z.string() })).optional(),
  proxy: z.union([z.string(), z.strictObject({ server: z.string() })]).optional(),
});

const check = (value: unknown): ApiError | undefined => {
  const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' });
  return (validate(value) as { error?: ApiError }).error;
};

test('a right value passes', () => {
  expect(check({ width: 1, proxy: 'http://proxy' })).toBeUndefined();
});

test.each([
  [{ width: 'a' }, [{ path: 'width', reason: 'expected number, received string' }]],
  [
    { colour: 1, size: 2 },
    [
      { path: 'colour', reason: 'unknown field' },
      { path: 'size', reason: 'unknown field' },
    ],
  ],
  [{ cookies: [{ name: 'a', extra: 1 }] }, [{ path: 'cookies[0].extra', reason: 'unknown field' }]],
  [{ proxy: { server: 1 } }, [{ path: 'proxy.server', reason: 'expected string, received number' }]],
  [
    { proxy: 1 },
    [{ path: 'proxy', reason: 'expected string, received number, or expected object, received number' }],
  ],
  [[], [{ path: '', reason: 'expected object, received array' }]],
])('%j is refused, each fault by path and reason', (value, issues) => {
  expect(check(value)).toMatchObject({ code: 'VALIDATION_FAILED', details: { issues } });
});

test('a hostile number or length of names does not come back in full', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x${i}`, 1]));
  expect(check(many)?.details.issues).toHaveLength(50);
  expect(JSON.stringify(check({ ['y'.repeat(1_000_000)]: 1 })?.details).length).toBeLessThan(1000);
});
