import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BrowserdError, ConnectionError } from '../errors.ts';
import { delayBefore, sleep } from './retry.ts';

const error = (code: string, status: number, nextStep: string): BrowserdError =>
  new BrowserdError({ code, message: code, category: 'internal', nextStep }, status);

test('what is tried again, and what is not', () => {
  const table: [BrowserdError, repeatable: boolean, again: boolean][] = [
    [error('RATE_LIMITED', 429, 'wait'), false, true],
    [error('SCRIPT_QUEUE_FULL', 429, 'wait'), false, true],
    [error('SERVICE_SHUTTING_DOWN', 503, 'retry'), false, true],
    [error('NODE_LOST', 503, 'retry'), false, true],
    [error('NODE_LOST', 503, 'observe'), false, false],
    [error('NODE_LOST', 503, 'observe'), true, false],
    [error('CAPACITY_EXHAUSTED', 429, 'wait'), true, false],
    [new ConnectionError('CONNECTION_FAILED', ''), true, true],
    [new ConnectionError('CONNECTION_FAILED', ''), false, false],
    [new ConnectionError('TIMED_OUT', ''), true, false],
    [error('STORE_UNAVAILABLE', 503, 'retry'), true, true],
    [error('STORE_UNAVAILABLE', 503, 'retry'), false, false],
    [error('BROWSER_START_FAILED', 503, 'ask_operator'), true, false],
    [error('PROXY_AUTH_FAILED', 502, 'fix_request'), true, false],
    [error('FEATURE_UNAVAILABLE', 501, 'fix_request'), true, false],
    [error('UNEXPECTED_ANSWER', 502, 'ask_operator'), true, true],
    [error('UNEXPECTED_ANSWER', 200, 'ask_operator'), true, false],
    [error('IDEMPOTENCY_KEY_IN_USE', 409, 'wait'), true, true],
    [error('BROWSER_NOT_READY', 409, 'wait'), true, false],
    [error('VALIDATION_FAILED', 400, 'fix_request'), true, false],
  ];
  for (const [thrown, repeatable, again] of table)
    expect([thrown.code, repeatable, delayBefore(thrown, 0, repeatable) !== undefined]).toEqual([
      thrown.code,
      repeatable,
      again,
    ]);
  expect(delayBefore(new Error('mine'), 0, true)).toBeUndefined();
});

test('a wait is never shorter than the service asked for, never endless, and none where it asks for too much', () => {
  const attempts = fc.nat({ max: 2000 });
  const asked = fc.oneof(
    fc.nat({ max: 100_000 }).map(String),
    fc.constantFrom(null, '', 'Wed, 21 Oct 2026 07:28:00 GMT', '-5', 'x'),
  );
  fc.assert(
    fc.property(attempts, asked, (attempt, retryAfter) => {
      const delay = delayBefore(error('RATE_LIMITED', 429, 'wait'), attempt, false, retryAfter);
      const seconds = Number(retryAfter);
      if (seconds > 30) return delay === undefined;
      return delay !== undefined && delay >= 125 && delay <= 30_000 && !(delay < seconds * 1000);
    }),
  );
});

test('a wait that was given up leaves no listener, and neither does one that was not', async () => {
  const stop = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = stop.signal;
  stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    listeners++;
    addEventListener.apply(stop.signal, args);
  };
  stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    listeners--;
    removeEventListener.apply(stop.signal, args);
  };
  await sleep(1, stop.signal);
  expect(listeners).toBe(0);
  const waiting = sleep(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(sleep(60_000, stop.signal)).rejects.toThrow('enough');
});
