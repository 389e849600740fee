import { expect, test } from 'vitest';
import { doneWords, matchWords } from './rule-words.ts';

test('what a rule is about is told in the order of a sentence', () => {
  expect(matchWords({})).toBe('every request');
  expect(matchWords({ host: 'a.test', type: 'image', method: 'get', thirdParty: true })).toBe(
    'GET image of a.test to other sites',
  );
  expect(matchWords({ url: 'https://a.test/*', thirdParty: false })).toBe('https://a.test/* to its own site');
});

test('what a rule does is told without the values of its headers', () => {
  expect(doneWords({ action: 'block' })).toBe('block');
  expect(doneWords({ action: 'respond', body: 'x' })).toBe('respond with 200');
  expect(doneWords({ action: 'delay', ms: 1500 })).toBe('delay by 2 s');
  expect(doneWords({ action: 'headers', set: { 'X-Key': 'secret' }, remove: ['Referer'] })).toBe(
    'set X-Key; remove Referer',
  );
});
