import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOccupying, mayBecome, nextStepOf, statuses, waysInto } from './lifecycle.ts';

const status = fc.constantFrom(...statuses);

test('closed is the end, and every other status leads to it', () => {
  for (const from of statuses) {
    expect(mayBecome('closed', from)).toBe(false);
    if (from !== 'closed' && from !== 'closing') expect(mayBecome(from, 'closing')).toBe(true);
  }
  expect(mayBecome('closing', 'closed')).toBe(true);
});

test('a failed browser never runs again', () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 8 }), (path) => {
      let now: (typeof statuses)[number] = 'failed';
      for (const next of path) if (mayBecome(now, next)) now = next;
      expect(['failed', 'closing', 'closed']).toContain(now);
    }),
  );
});

test('a browser becomes ready only from a status in which it holds a place', () => {
  for (const from of waysInto('ready')) expect(isOccupying(from)).toBe(true);
});

test('waysInto is mayBecome read backwards', () => {
  fc.assert(fc.property(status, status, (from, to) => waysInto(to).includes(from) === mayBecome(from, to)));
});

test('the next step of a caller is to wait, to resume or to create anew', () => {
  expect(statuses.map((each) => [each, nextStepOf(each)])).toEqual([
    ['creating', 'wait'],
    ['ready', 'wait'],
    ['stopping', 'wait'],
    ['stopped', 'resume_browser'],
    ['resuming', 'wait'],
    ['recovering', 'wait'],
    ['closing', 'create_browser'],
    ['closed', 'create_browser'],
    ['failed', 'create_browser'],
  ]);
});
