import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

const none = new Set<string>();
const job = (projectId: string, id: string, concurrency = 4) => ({
  id,
  projectId,
  url: null,
  concurrency,
  seeded: true,
});

/** Who is served, one after the other, while no page ends. */
function served(turns: Turns, times: number): string {
  return Array.from({ length: times }, () => {
    const next = turns.next(0, none);
    if (!next) return '-';
    turns.serve(next);
    next.running++;
    return next.id;
  }).join(' ');
}

test('projects take turns, and so do the jobs of each', () => {
  const turns = new Turns();
  turns.replace([job('p', 'p1'), job('p', 'p2'), job('p', 'p3'), job('q', 'q1')]);
  expect(served(turns, 8)).toBe('p1 q1 p2 q1 p3 q1 p1 q1');
});

test('a project that came late is served before one that has pages at work', () => {
  const turns = new Turns();
  turns.replace([job('p', 'p1', 32)]);
  served(turns, 3);
  turns.replace([job('p', 'p1', 32), job('q', 'q1')]);
  expect(served(turns, 4)).toBe('q1 q1 q1 p1');
});

test('a job at its concurrency, one that rests and one whose project has no room are passed over', () => {
  const turns = new Turns();
  turns.replace([job('p', 'p1', 1), job('q', 'q1'), job('r', 'r1')]);
  const resting = turns.get('q1');
  if (resting) resting.restUntil = 50;
  expect(served(turns, 1)).toBe('p1');
  expect(turns.next(0, new Set(['r']))).toBeUndefined();
  expect(turns.nextDue()).toBe(0);
  expect(turns.next(50, new Set(['r']))?.id).toBe('q1');
});

test('a look says which jobs are over, and wakes those that waited for another node', () => {
  const turns = new Turns();
  turns.replace([job('p', 'p1'), job('p', 'p2')]);
  const waiting = turns.get('p2');
  if (waiting) waiting.restUntil = Number.POSITIVE_INFINITY;
  expect(turns.replace([job('p', 'p2')])).toEqual(['p1']);
  expect(turns.next(0, none)?.id).toBe('p2');
  expect(turns.get('p1')).toBeUndefined();
});

test('a crawl waits for the node whose turn its site is; pages of a batch are for all nodes', () => {
  const mine = new Set(['crawl p here.test']);
  const turns = new Turns((name) => mine.has(name));
  const crawl = (id: string, url: string) => ({ ...job('p', id, 1), url, seeded: false });
  turns.replace([
    crawl('here', 'http://here.test/a'),
    crawl('there', 'http://there.test/a'),
    job('p', 'batch', 1),
  ]);
  expect(turns.unseeded().map(({ id }) => id)).toEqual(['here']);
  expect(served(turns, 4)).toBe('here batch - -');
  // Its node has gone.
  mine.add('crawl p there.test');
  expect(turns.unseeded().map(({ id }) => id)).toEqual(['here', 'there']);
  expect(served(turns, 2)).toBe('there -');
});
