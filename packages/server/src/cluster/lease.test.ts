import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RenewedLease } from './lease.ts';

const heartbeatMs = 3000;
const gateMs = 20_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A lease whose clocks and renewals are in the hands of the test. */
function aLease() {
  const clock = { monotonic: 1000, wall: 1_700_000_000_000 };
  const sent: PromiseWithResolvers<{ at: number } | undefined>[] = [];
  const heard: string[] = [];
  const lease = new RenewedLease({
    heartbeatMs,
    gateMs,
    clock: { monotonic: () => clock.monotonic, wall: () => clock.wall },
    renew() {
      const renewal = Promise.withResolvers<{ at: number } | undefined>();
      sent.push(renewal);
      return renewal.promise;
    },
    onRenewed: () => heard.push('renewed'),
    onFenced: () => heard.push('fenced'),
    onFailure: () => heard.push('failed'),
  });
  lease.onChange((held) => heard.push(held ? 'held' : 'lost'));
  const pass = async (ms: number): Promise<void> => {
    clock.monotonic += ms;
    clock.wall += ms;
    await vi.advanceTimersByTimeAsync(ms);
  };
  const answer = async (how: 'renewed' | 'gone' | 'failed' = 'renewed'): Promise<void> => {
    if (how === 'failed') sent.at(-1)?.reject(new Error('the database is away'));
    else sent.at(-1)?.resolve(how === 'gone' ? undefined : { at: 1 });
    await vi.advanceTimersByTimeAsync(0);
  };
  const started = async () => {
    const start = lease.start();
    await answer();
    await start;
  };
  return { lease, clock, sent, heard, pass, answer, started };
}

test('a lease is held from the first renewal on, counted from when it was sent', async () => {
  const { lease, clock, pass, answer, heard } = aLease();
  const start = lease.start();
  expect(lease.held()).toBe(false);
  await pass(5000);
  await answer();
  await start;
  expect(lease.held()).toBe(true);
  expect(heard).toEqual(['held', 'renewed']);
  clock.monotonic = 1000 + gateMs - 1;
  clock.wall += gateMs - 5001;
  expect(lease.held()).toBe(true);
  clock.monotonic++;
  expect(lease.held()).toBe(false);
});

test('a first renewal that fails is tried again, a few times', async () => {
  const { lease, answer, sent } = aLease();
  const start = lease.start();
  for (let n = 1; n < 5; n++) {
    await answer('failed');
    expect(sent).toHaveLength(n + 1);
  }
  const refused = expect(start).rejects.toThrow('the database is away');
  await answer('failed');
  await refused;
  expect(lease.held()).toBe(false);
});

test('each heartbeat renews it', async () => {
  const { lease, pass, answer, sent, started } = aLease();
  await started();
  for (let beat = 2; beat < 20; beat++) {
    await pass(heartbeatMs);
    expect(sent).toHaveLength(beat);
    await answer();
    expect(lease.held()).toBe(true);
  }
});

test('a renewal that fails is tried again at once, then every half second; the lease ends in its time and comes back', async () => {
  const { lease, pass, answer, sent, heard, started } = aLease();
  await started();
  await pass(heartbeatMs);
  await answer('failed');
  expect(sent).toHaveLength(3);
  await answer('failed');
  expect(sent).toHaveLength(3);
  await pass(500);
  expect(sent).toHaveLength(4);
  expect(lease.held()).toBe(true);
  await pass(gateMs);
  expect(lease.held()).toBe(false);
  expect(heard).toContain('lost');
  await answer('failed');
  await pass(500);
  await answer();
  expect(lease.held()).toBe(true);
  expect(heard.slice(-2)).toEqual(['held', 'renewed']);
  await pass(heartbeatMs - 1);
  expect(sent).toHaveLength(5);
});

test('a process that was paused finds its lease over before any timer has run', async () => {
  const { lease, clock, heard, started } = aLease();
  await started();
  clock.monotonic += gateMs;
  clock.wall += gateMs;
  expect(lease.held()).toBe(false);
  expect(heard).not.toContain('lost');
});

test('a lease that a suspended machine kept on its standing clock counts as lost until it is renewed', async () => {
  const { lease, clock, pass, answer, heard, started } = aLease();
  await started();
  clock.wall += 1001;
  expect(lease.held()).toBe(false);
  expect(lease.held()).toBe(false);
  await pass(heartbeatMs);
  expect(lease.held()).toBe(false);
  await answer();
  expect(lease.held()).toBe(true);
  clock.wall -= 1500;
  expect(lease.held()).toBe(false);
  expect(heard).toContain('held');
});

test('a renewal that was under way while the clock jumped does not count', async () => {
  const { lease, clock, pass, answer, sent, started } = aLease();
  await started();
  await pass(heartbeatMs);
  clock.wall += 60_000;
  await answer();
  expect(lease.held()).toBe(false);
  expect(sent).toHaveLength(3);
  await answer();
  expect(lease.held()).toBe(true);
});

test('a clock that is set right little by little loses nothing', async () => {
  const { lease, clock, pass, answer, started } = aLease();
  await started();
  for (let beat = 0; beat < 10; beat++) {
    clock.wall += 500;
    await pass(heartbeatMs);
    await answer();
    expect(lease.held()).toBe(true);
  }
});

test('a boot that was declared gone never holds it again, and is told so once', async () => {
  const { lease, pass, answer, sent, heard, started } = aLease();
  await started();
  await pass(heartbeatMs);
  await answer('gone');
  expect(lease.held()).toBe(false);
  await pass(gateMs);
  expect(sent).toHaveLength(2);
  expect(heard).toEqual(['held', 'renewed', 'lost', 'fenced']);
});

test('after it was given up it is not held, and asks no more', async () => {
  const { lease, pass, answer, sent, started } = aLease();
  await started();
  await pass(heartbeatMs);
  lease[Symbol.dispose]();
  await answer();
  expect(lease.held()).toBe(false);
  await pass(gateMs);
  expect(sent).toHaveLength(2);
});
