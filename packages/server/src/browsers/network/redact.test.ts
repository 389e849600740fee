import { expect, test } from 'vitest';
import { redactAddress, redactBody, redactHeaders } from './redact.ts';

test('parameters that carry credentials are hidden by their name', () => {
  expect(redactAddress('https://a.example/x?page=2&access_token=abc&q=shoes')).toBe(
    'https://a.example/x?page=2&access_token=***&q=shoes',
  );
  expect(redactAddress('https://a.example/cb#id_token=abc&state=x')).toBe(
    'https://a.example/cb#id_token=***&state=***',
  );
  expect(redactAddress('https://a.example/?X-Amz-Signature=abcdef&api_key=1&sig=2')).toBe(
    'https://a.example/?X-Amz-Signature=***&api_key=***&sig=***',
  );
});

test('values that look like tokens are hidden whatever their name', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
  expect(redactAddress(`https://a.example/?x=${jwt}`)).toBe('https://a.example/?x=***');
  expect(redactAddress('https://a.example/?v=9f86d081884c7d659a2feaa0c55ad015')).toBe(
    'https://a.example/?v=***',
  );
});

test('plain values stay', () => {
  for (const url of [
    'https://a.example/a/long/path/of/many/parts/9f86d081884c7d659a2feaa0c55ad015.js',
    'https://a.example/?q=how+to+cook+rice&page=12&sort=price_ascending',
    'https://a.example/?url=https://b.example/some/long/path/of/2024/things',
    'https://a.example/?keyboard=qwerty',
  ])
    expect(redactAddress(url)).toBe(url);
});

test('a login in an address is hidden', () => {
  expect(redactAddress('https://ada:secret@a.example/')).toBe('https://***@a.example/');
});

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

test('passwords in forms and in JSON are hidden', () => {
  expect(redactBody('user=ada&password=hunter2', 'application/x-www-form-urlencoded')).toBe(
    'user=ada&password=***',
  );
  expect(redactBody('{"user":"ada","password": "hun\\"ter2","n":1}', 'application/json')).toBe(
    '{"user":"ada","password": "•••","n":1}',
  );
});
