import { expect, test } from 'vitest';
import { type LoggedRequest, newRequest } from './logged-request.ts';
import { Ring } from './ring.ts';

const request = (seq: number, url = 'https://a.example/'): LoggedRequest =>
  newRequest({ seq, requestId: `${seq}`, sessionId: 's', from: 'page', url, startedAt: 0, began: 0 });
const alone = { added: () => undefined, removed: () => undefined, weighed: () => undefined };
const seqs = (ring: Ring): number[] => [...ring.requests()].map(({ seq }) => seq);

test('the oldest make room for the next, by their number', () => {
  const ring = new Ring({ requests: 3, bytes: 1e6 }, alone);
  for (let seq = 1; seq <= 5; seq++) ring.add(request(seq));
  expect(seqs(ring)).toEqual([3, 4, 5]);
  expect(ring.last('1')).toBeUndefined();
  expect(ring.last('5')?.seq).toBe(5);
});

test('and by their bytes, also when one of them grows', () => {
  const ring = new Ring({ requests: 100, bytes: 10_000 }, alone);
  for (let seq = 1; seq <= 10; seq++) ring.add(request(seq));
  const last = ring.last('10');
  if (!last) throw new Error('there is no last one');
  last.responseHeaders = [['x', 'y'.repeat(5000)]];
  ring.weigh(last);
  expect(ring.bytes).toBeLessThanOrEqual(10_000);
  expect(seqs(ring).at(-1)).toBe(10);
  expect(seqs(ring).length).toBeLessThan(10);
});

test('hops of a redirect share the id of Chromium, and the last one is meant by it', () => {
  const ring = new Ring({ requests: 3, bytes: 1e6 }, alone);
  const [first, second] = [request(1), { ...request(2), requestId: '1' }];
  ring.add(first);
  ring.add(second);
  expect(ring.last('1')).toBe(second);
  expect([...ring.requests()]).toEqual([first, second]);
});

test('who keeps it knows of each request that is in it, and what all of it takes', () => {
  const kept = new Set<LoggedRequest>();
  let bytes = 0;
  const ring = new Ring(
    { requests: 3, bytes: 1e6 },
    {
      added: (each) => kept.add(each),
      removed: (each) => kept.delete(each),
      weighed: (more) => {
        bytes += more;
      },
    },
  );
  for (let seq = 1; seq <= 5; seq++) ring.add(request(seq));
  expect([[...kept], bytes]).toEqual([[...ring.requests()], ring.bytes]);
  expect(ring.dropOldest()).toBe(true);
  expect([[...kept].map(({ seq }) => seq), bytes]).toEqual([[4, 5], ring.bytes]);
  ring.clear();
  expect([kept.size, bytes, ring.bytes, ring.dropOldest()]).toEqual([0, 0, 0, false]);
});
