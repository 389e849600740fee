import { expect, test } from 'vitest';
import { doneWords, matchWords } from './rule-words.ts';

test('what a rule is about is told in the order of a sentence', () => {
  expect(matchWords({})).toBe('all requests');
  expect(matchWords({ host: 'a.test', type: 'image', method: 'get', thirdParty: true })).toBe(
    'third-party GET image requests to a.test',
  );
  expect(matchWords({ url: '*/x*', host: 'a.test', thirdParty: false })).toBe(
    'first-party requests to */x* at a.test',
  );
});

test('what a rule does is told without the values of its headers', () => {
  expect(doneWords({ action: 'block' })).toBe('block');
  expect(doneWords({ action: 'respond', body: 'x' })).toBe('respond with 200');
  expect(doneWords({ action: 'delay', ms: 1500 })).toBe('delay by 2 s');
  expect(doneWords({ action: 'headers', set: { 'X-Key': 'secret' }, remove: ['Referer'] })).toBe(
    'set X-Key; remove Referer',
  );
});
