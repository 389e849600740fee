import { expect, test } from 'vitest';
import { SendingPlaces } from './sending-places.ts';

test('a project never holds all places, and has its own ones while others hold the rest', () => {
  const places = new SendingPlaces({ own: 2, ofProject: 6, inAll: 10 });
  expect(places.take('a', 50)).toBe(6);
  expect(places.take('a', 1)).toBe(0);
  expect(places.take('b', 50)).toBe(4);
  for (const project of ['c', 'd', 'e']) {
    expect(places.take(project, 50)).toBe(2);
    expect(places.take(project, 50)).toBe(0);
  }
});

test('what is given back can be taken again, by whoever has room', () => {
  const places = new SendingPlaces({ own: 1, ofProject: 3, inAll: 4 });
  expect([places.take('a', 3), places.take('b', 3)]).toEqual([3, 1]);
  places.giveBack('a', 2);
  expect([places.take('b', 3), places.take('a', 3)]).toEqual([2, 0]);
  places.giveBack('b', 3);
  places.giveBack('a', 1);
  expect(places.take('b', 3)).toBe(3);
});
