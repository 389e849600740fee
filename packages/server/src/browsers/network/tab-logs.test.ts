import { expect, test } from 'vitest';
import { type LoggedRequest, newRequest } from './logged-request.ts';
import { TabLogs } from './tab-logs.ts';

const mebibyte = 1024 ** 2;

/** Requests are numbered over all tabs, as they begin. */
function opened() {
  const logs = new TabLogs();
  let seq = 0;
  const ask = (targetId: string, headerBytes = 0): LoggedRequest => {
    const request = newRequest({
      seq: ++seq,
      requestId: `${seq}`,
      sessionId: 's',
      from: 'page',
      url: 'https://a.example/',
      startedAt: 0,
      began: 0,
      requestHeaders: [['x', 'y'.repeat(headerBytes)]],
    });
    logs.open(targetId).add(request);
    return request;
  };
  const askMany = (targetId: string, count: number, headerBytes: number): void => {
    for (let n = 0; n < count; n++) ask(targetId, headerBytes);
  };
  const seqs = (): number[] => logs.entries().map(({ request }) => request.seq);
  return { logs, ask, askMany, seqs };
}

test.each([
  { whole: false, most: 16 * mebibyte },
  { whole: true, most: 32 * mebibyte },
])('a hundred tabs together keep no more than $most bytes, open or closed', ({ whole, most }) => {
  const { logs, askMany } = opened();
  if (whole) logs.keepAll();
  for (let tab = 0; tab < 100; tab++) {
    askMany(`tab ${tab}`, 100, 8000);
    expect(logs.bytes).toBeLessThanOrEqual(most);
    if (tab % 3 === 0) logs.close(`tab ${tab}`, `closed ${tab}`);
  }
  expect(logs.bytes).toBeGreaterThan(most / 2);
  expect(logs.tabs().reduce((sum, { ring }) => sum + ring.bytes, 0)).toBe(logs.bytes);
});

test('a tab that asks for much pushes out nothing of one that asks for little', () => {
  const { logs, ask, askMany } = opened();
  const quiet = [ask('quiet'), ask('quiet')];
  for (let tab = 0; tab < 8; tab++) askMany(`loud ${tab}`, 400, 8000);
  expect([...(logs.of('quiet')?.requests() ?? [])]).toEqual(quiet);
  const loud = logs.tabs().slice(1);
  const bytes = loud.map(({ ring }) => ring.bytes);
  expect(Math.max(...bytes) - Math.min(...bytes)).toBeLessThan(20_000);
});

test('entries are those of all tabs, in the order in which they began, and are found by their ids', () => {
  const { logs, ask, seqs } = opened();
  const [first, second, third] = [ask('a'), ask('b'), ask('a')];
  expect(seqs()).toEqual([1, 2, 3]);
  logs.close('a', 'tab a');
  expect(seqs()).toEqual([1, 2, 3]);
  expect(logs.find(third.id)).toMatchObject({ request: third, log: { tabId: 'tab a' } });
  logs.forget('a');
  expect(seqs()).toEqual([2]);
  expect([logs.find(first.id), logs.find(second.id)?.request]).toEqual([undefined, second]);
  logs.close('b', undefined);
  expect([seqs(), logs.tabs(), logs.bytes]).toEqual([[], [], 0]);
});

test('of tabs that were closed the last ten are kept', () => {
  const { logs, ask, seqs } = opened();
  for (let tab = 0; tab < 15; tab++) {
    ask(`${tab}`);
    logs.close(`${tab}`, `tab ${tab}`);
  }
  expect(logs.tabs().map(({ tabId }) => tabId)).toEqual(Array.from({ length: 10 }, (_, n) => `tab ${n + 5}`));
  expect(seqs()).toEqual([6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
});
