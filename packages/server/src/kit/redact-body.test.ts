import { expect, test } from 'vitest';
import { redactBody } from './redact-body.ts';

test('passwords in forms and in JSON are hidden', () => {
  expect(redactBody('user=ada&password=hunter2', 'application/x-www-form-urlencoded')).toBe(
    'user=ada&password=***',
  );
  expect(redactBody('{"user":"ada","password": "hun\\"ter2","n":1}', 'application/json')).toBe(
    '{"user":"ada","password": "•••","n":1}',
  );
});
