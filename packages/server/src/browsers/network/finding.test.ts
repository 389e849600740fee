import { expect, test } from 'vitest';
import { atOnce } from '../../kit/at-once.ts';
import { finding, type NetworkFilter } from './finding.ts';
import { newRequest } from './logged-request.ts';
import { TabLogs } from './tab-logs.ts';

/** Requests of two tabs by turns, each third of which has failed. */
function logOf(count: number) {
  const logs = new TabLogs();
  for (let seq = 1; seq <= count; seq++)
    logs.open(seq % 2 ? 'odd' : 'even').add(
      newRequest({
        seq,
        requestId: `${seq}`,
        sessionId: 's',
        from: 'page',
        url: `https://${seq % 5 ? 'www.' : ''}${seq % 2 ? 'a' : 'b'}.example:8443/${seq}`,
        startedAt: 1000 + seq,
        began: 0,
        status: seq % 3 ? 200 : 404,
      }),
    );
  const steps = (filter: NetworkFilter = {}, most = Number.POSITIVE_INFINITY) =>
    finding(logs.entries(), { filter, most, tabOf: ({ targetId }) => targetId });
  const seqs = (filter?: NetworkFilter, most?: number): number[] =>
    atOnce(steps(filter, most)).map(({ request }) => request.seq);
  return { steps, seqs };
}

test('the newest come first, over all tabs, and only as many as are wanted', () => {
  const { seqs } = logOf(12);
  expect(seqs()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(seqs({}, 3)).toEqual([12, 11, 10]);
  expect(seqs({ beforeSeq: 10 }, 3)).toEqual([9, 8, 7]);
  expect(seqs({ afterSeq: 9 })).toEqual([12, 11, 10]);
});

test('filters keep what fits all of them', () => {
  const { seqs } = logOf(12);
  expect(seqs({ tabId: 'odd' })).toEqual([11, 9, 7, 5, 3, 1]);
  expect(seqs({ failed: true })).toEqual([12, 9, 6, 3]);
  expect(seqs({ status: '4xx', tabId: 'even' })).toEqual([12, 6]);
  expect(seqs({ status: '200', since: 1010 })).toEqual([11, 10]);
  expect(seqs({ host: 'A.example' })).toEqual([11, 9, 7, 5, 3, 1]);
  expect(seqs({ host: 'b.example:8443' })).toEqual([10]);
  expect(seqs({ host: 'example' })).toHaveLength(12);
  expect(seqs({ host: 'ample' })).toEqual([]);
  expect(seqs({ type: ['document'] })).toEqual([]);
});

test('a long log is looked through in many steps, and no further than is wanted', () => {
  const { steps } = logOf(1500);
  expect([...steps({ host: 'elsewhere.example' })].length).toBeGreaterThanOrEqual(10);
  expect([...steps({}, 20)]).toHaveLength(0);
});
