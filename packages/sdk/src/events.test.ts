import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { badLine, json, refusal } from '../tests/bad-line.ts';
import type { api } from './sdk.ts';

const frame = (seq: number): string => `id: ${seq}\nevent: tab.opened\ndata: {"seq":${seq}}\n\n`;
const stream = (text: string, then?: (response: ServerResponse) => void) => (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.write(text, () => then?.(response));
};
const cutOff = (response: ServerResponse): void => void response.destroy();
const end = (code: string): string =>
  `event: end\ndata: {"error":{"code":"${code}","message":"","category":"internal","nextStep":"retry"}}\n\n`;

async function seqs(events: AsyncIterable<api.Event>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { seq } of events) if (seen.push(seq) === count) break;
  return seen;
}

test('a stream that breaks, ends, or is ended for a restart resumes where it was', async () => {
  const line = await badLine(
    json(200, { items: [{ seq: 4 }], limit: 1, hasMore: false }),
    stream(`${frame(5)}data: {"seq":`, cutOff),
    stream(`${frame(6)}${end('SERVICE_SHUTTING_DOWN')}`, (response) => response.end()),
    stream(frame(7) + frame(8)),
  );
  expect(await seqs(line.client().events.follow({ type: ['tab.*'] }), 4)).toEqual([5, 6, 7, 8]);
  expect(line.asked.map(({ url }) => url)).toEqual([
    '/v1/events?type=tab.*&order=desc&limit=1',
    ...Array(3).fill('/v1/events?type=tab.*'),
  ]);
  expect(line.asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '4', '5', '6']);
});

test('a reader that stops by break, by an error or by a signal leaves no connection', async () => {
  const line = await badLine(stream(frame(1)));
  const follow = (signal?: AbortSignal) =>
    line.client().browser('browser_1').events.follow({ lastEventId: 0, signal });
  await seqs(follow(), 1);
  const failing = async () => {
    for await (const _event of follow()) throw new Error('mine');
  };
  await expect(failing()).rejects.toThrow('mine');
  const stop = new AbortController();
  const waiting = seqs(follow(stop.signal), 2);
  await expect.poll(() => line.asked.length).toBe(3);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect.poll(line.open).toBe(0);
});

test('an end that the service means for good is thrown', async () => {
  const line = await badLine(stream(frame(1) + end('UNAUTHENTICATED')));
  await expect(seqs(line.client().events.follow({ lastEventId: 0 }), 2)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
  });
});

test('a service that was never reached, or is another one, is not waited for', async () => {
  const refused = await badLine(refusal(503, 'STORE_UNAVAILABLE', 'retry'));
  const proxy = await badLine((response) => response.end('<h1>Welcome</h1>'));
  for (const [line, code] of [
    [refused, 'STORE_UNAVAILABLE'],
    [proxy, 'UNEXPECTED_ANSWER'],
  ] as const)
    await expect(
      seqs(line.client({ maxRetries: 0 }).events.follow({ lastEventId: 0 }), 1),
    ).rejects.toMatchObject({ code });
});
