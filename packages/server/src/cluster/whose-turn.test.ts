import { expect, test } from 'vitest';
import { newId } from '../kit/id.ts';
import type { Member } from './interface.ts';
import { isTurnOf, whoseTurn } from './whose-turn.ts';

const member = (state: Member['state'] = 'up'): Member => ({
  ...{ id: newId('node'), bootId: newId('node'), address: '10.0.0.1:1', state, version: null, zone: null },
  ...{ capacity: 1, used: 0, warm: 0, silentMs: 0, startedAt: 0 },
});
const members = Array.from({ length: 20 }, () => member());
const names = Array.from({ length: 4000 }, (_, n) => `project_${n}`);
const bootOf = (name: string, among: readonly Member[]) => whoseTurn(name, among)?.bootId;

test('all nodes name the same one, in whatever order they see each other', () => {
  for (const name of names.slice(0, 100))
    expect(bootOf(name, members.toReversed())).toBe(bootOf(name, members));
});

test('turns are spread over the nodes', () => {
  const shares = Map.groupBy(names, (name) => bootOf(name, members));
  expect(shares.size).toBe(members.length);
  const even = names.length / members.length;
  for (const { length } of shares.values()) {
    expect(length).toBeGreaterThan(even / 2);
    expect(length).toBeLessThan(even * 2);
  }
});

test('a node that goes or drains leaves its turns to the others, which keep their own', () => {
  const [first, ...left] = members;
  const draining = [{ ...first!, state: 'draining' as const }, ...left];
  for (const name of names) {
    const before = bootOf(name, members);
    const after = bootOf(name, left);
    if (before !== first!.bootId) expect(after).toBe(before);
    expect(bootOf(name, draining)).toBe(after);
  }
});

test('while no other is known to be up, it is the turn of the one that asks', () => {
  expect(whoseTurn('a name', [])).toBeUndefined();
  expect(isTurnOf('own', 'a name', [member('draining')])).toBe(true);
  expect(isTurnOf('own', 'a name', members)).toBe(false);
});
