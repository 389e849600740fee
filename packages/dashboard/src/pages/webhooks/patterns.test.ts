import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Group, groups, isChosen, patternsOf, toggled } from './patterns.ts';

test('a group takes the place of its types, and gives way again', () => {
  expect(toggled(['script.failed', 'tab.opened'], 'script.*')).toEqual(['tab.opened', 'script.*']);
  expect(toggled(['tab.opened', 'script.*'], 'script.*')).toEqual(['tab.opened']);
});

test('a type that leaves a group leaves the others of the group', () => {
  expect(toggled(['script.*'], 'script.started')).toEqual(['script.completed', 'script.failed']);
});

test('the last missing type makes the group', () => {
  expect(toggled(['script.completed', 'script.failed'], 'script.started')).toEqual(['script.*']);
  expect(toggled([], 'policy.blocked')).toEqual(['policy.*']);
});

test('a type is chosen by itself or with its group', () => {
  expect(isChosen(['tab.*'], 'tab.opened')).toBe(true);
  expect(isChosen(['tab.closed'], 'tab.opened')).toBe(false);
});

test('every event of the contract can be chosen', async () => {
  const contract = JSON.parse(
    await readFile(new URL('../../../../../openapi.json', import.meta.url), 'utf8'),
  );
  const all = (Object.keys(groups) as Group[]).flatMap(patternsOf);
  expect(all.toSorted()).toEqual(contract.components.schemas.EventType.enum.toSorted());
});
