import { expect, test } from 'vitest';
import { actOnAll, type BulkProgress, fitFor, type Listed } from './act-on-all.ts';

const statuses = ['ready', 'stopped', 'closed', 'failed', 'closing', 'ready'] as const;
const browsers = (acts: (index: number) => Promise<unknown> = async () => undefined): Listed[] =>
  statuses.map(
    (status, index) =>
      ({ id: `b${index}`, record: { status }, close: () => acts(index), stop: () => acts(index) }) as never,
  );

test('an action takes those of the chosen whose status allows it', () => {
  const ids = (action: 'stop' | 'resume' | 'close') => fitFor(action, browsers()).map(({ id }) => id);
  expect([ids('stop'), ids('resume'), ids('close')]).toEqual([
    ['b0', 'b5'],
    ['b1'],
    ['b0', 'b1', 'b3', 'b5'],
  ]);
});

test('a failure does not keep the others from being done, and is told with its browser', async () => {
  const steps: BulkProgress[] = [];
  const all = browsers(async (index) => {
    if (index === 1) throw new Error('busy');
  });
  const { done, failures } = await actOnAll('close', all, AbortSignal.timeout(60_000), (step) =>
    steps.push(step),
  );
  expect([done, failures.map(({ browser }) => browser.id), steps.length]).toEqual([5, ['b1'], 6]);
});

test('no more than four run at a time, and an end leaves the rest as it is', async () => {
  let running = 0;
  let most = 0;
  const end = new AbortController();
  const all = browsers(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve));
    running--;
    end.abort();
  });
  expect((await actOnAll('close', all, end.signal, () => {})).done).toBe(4);
  expect(most).toBe(4);
});
