import { expect, test } from 'vitest';
import { RequestsInFlight } from './in-flight.ts';

const one = { caller: 'key_1', session: 's', id: 3 };
const never = new AbortController().signal;

test('a cancellation ends the request it names, and no other', () => {
  const inFlight = new RequestsInFlight();
  const meant = inFlight.begin(one, never);
  const others = [
    { ...one, caller: 'key_2' },
    { ...one, session: 't' },
    { ...one, id: '3' },
    { ...one, session: undefined },
  ].map((named) => inFlight.begin(named, never));
  inFlight.cancel({ ...one, session: undefined });
  expect(meant.signal.aborted).toBe(false);
  inFlight.cancel(one);
  expect(meant.signal.aborted).toBe(true);
  expect(others.map(({ signal }) => signal.aborted)).toEqual([false, false, false, false]);
});

test('a request that was answered, or whose caller has disconnected, is forgotten', () => {
  const inFlight = new RequestsInFlight();
  const answered = inFlight.begin(one, never);
  answered.done();
  inFlight.cancel(one);
  expect(answered.signal.aborted).toBe(false);
  const gone = new AbortController();
  const left = inFlight.begin(one, gone.signal);
  gone.abort('left');
  inFlight.cancel(one);
  expect(left.signal.reason).toBe('left');
  const next = inFlight.begin(one, never);
  left.done();
  inFlight.cancel(one);
  expect(next.signal.aborted).toBe(true);
});
