import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

const words = ['BROWSERD_PORT', 'BROWSERD_POOL_SIZE', 'BROWSERD_RUNNER_POOL_SIZE', 'BROWSERD_PUBLIC_URL'];

test.each([
  ['BROWSERD_PROT', 'BROWSERD_PORT'],
  ['BROWSERD_POOLSIZE', 'BROWSERD_POOL_SIZE'],
  ['BROWSERD_URL_PUBLIC', 'BROWSERD_PUBLIC_URL'],
  ['browserd_runner_pool', 'BROWSERD_RUNNER_POOL_SIZE'],
])('%s is taken for %s', (text, meant) => {
  expect(nearest(text, words, 1)).toEqual([meant]);
});

test('the nearest comes first, and what all words share can be left out of account', () => {
  const selectors = ['getByTestId("send")', 'getByRole("button", { name: "Save" })', '#save'];
  const essence = (text: string): string => text.replace(/getby\w+/gi, ' ');
  expect(nearest('getByTestId("save")', selectors, 2, essence)[0]).toBe('#save');
  expect(nearest('getByTestId("save")', selectors, 2)[0]).toBe('getByTestId("send")');
});

test('without words there is nothing near', () => {
  expect(nearest('x', [], 3)).toEqual([]);
  expect(nearest('', ['a', 'b'], 3)).toEqual(['a', 'b']);
});
