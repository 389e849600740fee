import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { Cdp } from '../../chromium/pipe/cdp.ts';
import { Recorder } from './recorder.ts';

/** A tab of a Chromium whose words the test writes. */
function openTab(): { recorder: Recorder; say(...messages: object[]): Promise<void> } {
  const output = new PassThrough({ highWaterMark: 64 * 1024 ** 2 });
  const cdp = new Cdp({ input: new PassThrough().resume(), output, timeoutMs: 60_000 });
  const recorder = new Recorder(cdp, {
    tabOf: (targetId) => (targetId === 'page' ? 'tab' : undefined),
    sightOf: () => ({ outcome: () => undefined, ruleFor: () => undefined }),
    isGuests: () => false,
  });
  const say = async (...messages: object[]): Promise<void> => {
    output.write(messages.map((message) => `${JSON.stringify(message)}\0`).join(''));
    await expect.poll(() => output.readableLength).toBe(0);
    await new Promise(setImmediate);
  };
  return { recorder, say };
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

const several = (count: number, from = 0): object[] =>
  Array.from({ length: count }, (_, n) => asked(from + n));

test('of what a page asks within a second the first thousand are logged, the rest is counted, and the next second is logged again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { recorder, say } = openTab();
    await say(attached, ...several(1500));
    const log = () => recorder.logs.all().map(({ dropped, ring }) => [dropped, [...ring.requests()].length]);
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
