import { expect, test } from 'vitest';
import type { Store } from '../store/records.ts';
import { Members } from './members.ts';

const seen = (bootId: string, used: number, state = 'up') => ({ bootId, used, state, capacity: 4, age: 0 });

const membersOf = (...nodes: ReturnType<typeof seen>[]): Members =>
  new Members({ nodes: { list: async () => nodes } } as unknown as Store);

const roomiest = (members: Members): string[] => members.roomiest('own').map(({ bootId }) => bootId);

test('of two others the roomier is first; those that are full or leave are none', async () => {
  const members = membersOf(
    ...[seen('own', 0), seen('a', 2), seen('b', 1), seen('full', 4), seen('leaves', 0, 'draining')],
  );
  await members.look();
  expect(roomiest(members)).toEqual(['b', 'a']);
});

test('what was sent to a node counts there until the next look', async () => {
  const members = membersOf(seen('own', 0), seen('a', 2), seen('b', 1));
  await members.look();
  for (let n = 0; n < 2; n++) members.noteSent('b');
  expect(roomiest(members)).toEqual(['a', 'b']);
  members.noteSent('b');
  expect(roomiest(members)).toEqual(['a']);
  await members.look();
  expect(roomiest(members)).toEqual(['b', 'a']);
});
