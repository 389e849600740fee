import { expect, test } from 'vitest';
import { UnderWay } from './under-way.ts';

const one = { caller: 'key_1', session: 's', id: 3 };
const never = new AbortController().signal;

test('a cancellation ends the request it names, and no other', () => {
  const underWay = new UnderWay();
  const meant = underWay.begin(one, never);
  const others = [
    { ...one, caller: 'key_2' },
    { ...one, session: 't' },
    { ...one, id: '3' },
    { ...one, session: undefined },
  ].map((named) => underWay.begin(named, never));
  underWay.cancel({ ...one, session: undefined });
  expect(meant.signal.aborted).toBe(false);
  underWay.cancel(one);
  expect(meant.signal.aborted).toBe(true);
  expect(others.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false]);
});

test('what is answered, or whose caller is gone, is forgotten', () => {
  const underWay = new UnderWay();
  const answered = underWay.begin(one, never);
  answered.done();
  underWay.cancel(one);
  expect(answered.signal.aborted).toBe(false);
  const gone = new AbortController();
  const left = underWay.begin(one, gone.signal);
  gone.abort('left');
  underWay.cancel(one);
  expect(left.signal.reason).toBe('left');
  const next = underWay.begin(one, never);
  left.done();
  underWay.cancel(one);
  expect(next.signal.aborted).toBe(true);
});
