import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Cdp } from '../../chromium/chromium.ts';
import { theLibrary } from './banner-library.ts';
import { BannerDocument } from './document.ts';
import type { Report } from './inside/inside.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A document that has a report at once, whenever it is asked; `sent` are the commands that Chromium got. */
async function scene(report: () => Report) {
  const sent: { method: string; params: Record<string, unknown> }[] = [];
  const send = async (method: string, params: Record<string, unknown>) => {
    sent.push({ method, params });
    if (method === 'Page.createIsolatedWorld') return { executionContextId: 7 };
    if (method === 'DOM.describeNode') return { node: { backendNodeId: 1 } };
    if (method === 'DOM.resolveNode') return { object: { objectId: 'own' } };
    if (method === 'Runtime.callFunctionOn') return { result: { value: true } };
    return params.returnByValue ? { result: { value: report() } } : { result: { objectId: 'document' } };
  };
  const dealt: unknown[] = [];
  const document = new BannerDocument({
    cdp: { send } as unknown as Cdp,
    library: await theLibrary(),
    sessionId: 'session',
    frameId: 'frame',
    onChange: () => undefined,
    onDealt: (banner) => dealt.push(banner),
  });
  const count = (method: string): number => sent.filter((each) => each.method === method).length;
  return { document, sent, dealt, count };
}

const quiet: Report = { state: 'looking', questions: [], dealt: [], over: false };

test('a document that has reports without end is asked so often in a second', async () => {
  const { document, count } = await scene(() => quiet);
  const followed = document.follow();
  await vi.advanceTimersByTimeAsync(500);
  const first = count('Runtime.evaluate');
  expect(first).toBeLessThanOrEqual(50);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(count('Runtime.evaluate')).toBeGreaterThan(first);
  expect(count('Runtime.evaluate')).toBeLessThanOrEqual(first * 12);
  document.end();
  await vi.advanceTimersByTimeAsync(3000);
  await followed;
});

test('only snippets of the library run in the page, and only so many at once', async () => {
  const ask = (snippet: string) => ({ id: snippet, snippet });
  const rounds: Report[] = [
    { ...quiet, questions: ['alert(1)', '__proto__', 'constructor', 'EVAL_COOKIEBOT_1'].map(ask) },
    { ...quiet, questions: Array.from({ length: 1000 }, () => ask('EVAL_COOKIEBOT_1')) },
    { ...quiet, over: true },
  ];
  const { document, sent, count } = await scene(() => rounds.shift() ?? quiet);
  await document.follow();
  expect(count('Runtime.callFunctionOn')).toBeLessThanOrEqual(50);
  const run = sent.filter(({ method }) => method === 'Runtime.callFunctionOn');
  for (const { params } of run) expect(params.functionDeclaration).toContain('window.Cookiebot');
  const answered = sent.map(({ params }) => String(params.expression)).find((each) => each.includes('alert'));
  expect(answered).toContain('{"id":"alert(1)","result":false}');
  expect(answered).toContain('{"id":"EVAL_COOKIEBOT_1","result":true}');
});
