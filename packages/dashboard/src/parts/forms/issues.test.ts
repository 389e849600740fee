import { expect, test } from 'vitest';
import { sortIssues } from './issues.ts';

const names = ['name', 'policy.allowedDomains', 'proxy.server', 'viewport.width', 'metadata'];
const sort = (path: string, reason = 'wrong') => sortIssues([{ path, reason }], names);

test('an error appears at the field of its path, with the entry or the part it is about', () => {
  expect(sort('name').at).toEqual({ name: 'wrong' });
  expect(sort('policy.allowedDomains[1]').at).toEqual({ 'policy.allowedDomains': 'entry 2: wrong' });
  expect(sort('metadata.team').at).toEqual({ metadata: 'team: wrong' });
});

test('an error of an object appears at the first field of its parts', () => {
  expect(sort('proxy').at).toEqual({ 'proxy.server': 'wrong' });
});

test('names that only begin alike are not the same', () => {
  expect(sort('names')).toEqual({ at: {}, rest: [{ path: 'names', reason: 'wrong' }] });
});

test('only the first error of a field is shown', () => {
  const issues = [
    { path: 'name', reason: 'first' },
    { path: 'name', reason: 'second' },
  ];
  expect(sortIssues(issues, names)).toEqual({ at: { name: 'first' }, rest: [] });
});

test('limits read like a sentence', () => {
  expect(sort('viewport.width', 'Too small: expected number to be >=1').at).toEqual({
    'viewport.width': 'must be >=1',
  });
});
