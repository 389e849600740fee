import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Cdp } from '../../chromium/pipe/cdp.ts';
import { Recorder } from './recorder.ts';

/** A tab of a Chromium whose words the test writes. */
function openTab(): { recorder: Recorder; told: string[]; say(...messages: object[]): Promise<void> } {
  const output = new PassThrough({ highWaterMark: 64 * 1024 ** 2 });
  const told: string[] = [];
  const input = new PassThrough().on('data', (sent: Buffer) => {
    for (const line of sent.toString().split('\0').filter(Boolean)) told.push(JSON.parse(line).method);
  });
  const cdp = new Cdp({ input, output, timeoutMs: 60_000 });
  const recorder = new Recorder(cdp, {
    tabOf: (targetId) => (targetId === 'page' ? 'tab' : undefined),
    sightOf: () => ({ outcome: () => undefined, ruleFor: () => undefined }),
    isGuests: (contextId) => contextId === 'guests',
  });
  const say = async (...messages: object[]): Promise<void> => {
    output.write(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
    await expect.poll(() => output.readableLength).toBe(0);
    await new Promise(setImmediate);
  };
  return { recorder, told, say };
}

/** As Chromium makes them. */
const sessionId = 'A1'.repeat(16);

const attached = {
  method: 'Target.attachedToTarget',
  params: {
    sessionId,
    waitingForDebugger: false,
    targetInfo: {
      targetId: 'page',
      type: 'page',
      title: '',
      url: '',
      attached: true,
      canAccessOpener: false,
    },
  },
};

const asked = (n: number): object => ({
  method: 'Network.requestWillBeSent',
  params: {
    requestId: `${n}`,
    loaderId: 'loader',
    documentURL: 'http://site/',
    request: { url: `http://site/${n}`, method: 'GET', headers: {} },
    timestamp: n,
    wallTime: 1_700_000_000 + n,
    initiator: { type: 'script' },
    type: 'Image',
    frameId: 'page',
  },
  sessionId,
});

const ofGuest = {
  ...attached,
  params: { ...attached.params, targetInfo: { ...attached.params.targetInfo, browserContextId: 'guests' } },
};

const several = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, n) => asked(from + n));

test('of what a page asks within a second the first thousand are logged, the rest is counted, and the next second is logged again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { recorder, say } = openTab();
    await say(attached, ...several(1500));
    const log = () => recorder.logs.tabs().map(({ dropped, ring }) => [dropped, [...ring.requests()].length]);
    await expect.poll(log).toEqual([[500, 1000]]);
    vi.setSystemTime(Date.now() + 1500);
    await say(...several(10, 5000));
    await expect
      .poll(() => [...(recorder.logs.of('page')?.requests() ?? [])].at(-1)?.url)
      .toBe('http://site/5009');
    expect(log()).toEqual([[500, 1000]]);
  } finally {
    vi.useRealTimers();
  }
});

test('of the page of a guest Chromium is asked to tell nothing, until it is to be logged', async () => {
  const { recorder, told, say } = openTab();
  await say(ofGuest, asked(1));
  expect([told, recorder.logs.tabs()]).toEqual([[], []]);
  recorder.follow(sessionId, 'page', 'guests');
  await say(asked(2));
  const urls = () => [...(recorder.logs.of('page')?.requests() ?? [])].map(({ url }) => url);
  await expect.poll(urls).toEqual(['http://site/2']);
  await expect.poll(() => told).toEqual(['Network.enable', 'Target.setAutoAttach']);
});
