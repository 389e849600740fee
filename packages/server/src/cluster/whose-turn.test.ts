import { expect, test } from 'vitest';
import type { Member } from './interface.ts';
import { isTurnOf, whoseTurn } from './whose-turn.ts';

const member = (n: number, state: Member['state'] = 'up'): Member => ({
  ...{ id: `node_${n}`, bootId: `boot_${n}`, address: `10.0.0.${n}:1`, state, version: '1', zone: null },
  ...{ capacity: 10, used: 0, warm: 0, silentMs: 0, startedAt: 1 },
});

const subjects = Array.from({ length: 2000 }, (_, n) => `project_${n}`);

test('all nodes find the same one, in whichever order they know the members', () => {
  const members = [1, 2, 3, 4, 5].map((n) => member(n));
  for (const subject of subjects.slice(0, 100)) {
    const turn = whoseTurn(subject, members);
    expect(whoseTurn(subject, members.toReversed())).toBe(turn);
    expect(members.filter(({ bootId }) => isTurnOf(bootId, subject, members))).toEqual([turn]);
  }
});

test('turns are spread over the members', () => {
  const members = [1, 2, 3, 4, 5].map((n) => member(n));
  const counts = new Map<string | undefined, number>();
  for (const subject of subjects) {
    const id = whoseTurn(subject, members)?.id;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  expect(counts.size).toBe(5);
  for (const count of counts.values()) {
    expect(count).toBeGreaterThan(300);
    expect(count).toBeLessThan(500);
  }
});

test('a member that goes leaves the turns of the others as they were', () => {
  const members = [1, 2, 3, 4].map((n) => member(n));
  const left = [members[0] as Member, member(2, 'draining'), ...members.slice(2)];
  for (const subject of subjects) {
    const before = whoseTurn(subject, members);
    const after = whoseTurn(subject, left);
    if (before?.id === 'node_2') expect(after?.id).not.toBe('node_2');
    else expect(after?.id).toBe(before?.id);
  }
});

test('where no member is up, every node looks', () => {
  expect(whoseTurn('project_1', [])).toBeUndefined();
  expect(isTurnOf('boot_1', 'project_1', [member(2, 'draining')])).toBe(true);
});
