import { expect, test } from 'vitest';
import { redactHeaders } from './view.ts';

test('headers that carry credentials are hidden, and tokens in the addresses of others', () => {
  expect(
    redactHeaders([
      ['Authorization', 'Bearer abc'],
      ['Cookie', 'sid=1'],
      ['x-api-key', 'abc'],
      ['Referer', 'https://a.example/?token=abc'],
      ['Accept', 'text/html;q=0.9'],
    ]),
  ).toEqual([
    { name: 'Authorization', value: '•••' },
    { name: 'Cookie', value: '•••' },
    { name: 'x-api-key', value: '•••' },
    { name: 'Referer', value: 'https://a.example/?token=***' },
    { name: 'Accept', value: 'text/html;q=0.9' },
  ]);
});
