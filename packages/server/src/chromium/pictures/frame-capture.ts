/**
 * Pictures of one tab, as they change, for as little as that can cost (bench part `record`):
 *
 *   shoot ──other than the last──> take it, pause, shoot again        a screenshot five times a second
 *     └──the same, several times──> watch ──something moved──> shoot again
 *
 * A screenshot costs only when it is taken, but has to be asked for; a screencast tells of every change, and costs
 * nothing until there is one, but is expensive while there are many. So each does what it is cheap at.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cdp } from '../pipe/pipe.ts';

export interface FrameOptions {
  cdp: Cdp;
  /** A session of the service, with no other screencast in it. */
  sessionId: string;
  /** The next picture is not asked for before this one is taken. */
  take(jpeg: Buffer): Promise<void>;
}

export interface FrameCapture {
  /** Something happened to the page that may have left the last question without an answer. */
  nudge(): void;
  stop(): void;
}

const quality = 80;
const betweenMs = 180;
/** So many times the same before the tab counts as still; a blinking caret keeps it below that. */
const sameTimes = 4;
const afterFailureMs = 1000;
/** A page that is busy, or asks a question, may not be drawn for long. */
const shootMs = 30_000;

export function captureFrames({ cdp, sessionId, take }: FrameOptions): FrameCapture {
  const session = { sessionId };
  let stopped = false;
  let nudged = false;
  let wake: () => void = () => undefined;

  /** Undefined when it failed, or when a nudge came first. */
  const unlessNudged = <T>(work: Promise<T>): Promise<T | undefined> =>
    new Promise((resolve) => {
      wake = () => resolve(undefined);
      work.then(resolve, wake);
    });

  const shoot = (): Promise<string | undefined> =>
    unlessNudged(
      cdp
        .send(
          'Page.captureScreenshot',
          { format: 'jpeg', quality, optimizeForSpeed: true },
          { sessionId, timeoutMs: shootMs },
        )
        .then(({ data }) => data),
    );

  /** Resolves when something has moved. The first picture of a cast is how the tab looks as it begins. */
  const watch = async (): Promise<void> => {
    const moved = Promise.withResolvers<void>();
    let heard = 0;
    const off = cdp.on('Page.screencastFrame', ({ data, sessionId: number }, from) => {
      if (from !== sessionId || stopped || heard > 1) return;
      heard++;
      void cdp.send('Page.screencastFrameAck', { sessionId: number }, session).catch(() => undefined);
      const taken = take(Buffer.from(data, 'base64'));
      if (heard > 1) taken.then(moved.resolve, moved.resolve);
    });
    const started = cdp.send('Page.startScreencast', { format: 'jpeg', quality }, session);
    await unlessNudged(started.then(() => moved.promise));
    off();
    await cdp.send('Page.stopScreencast', undefined, session).catch(() => undefined);
  };

  const loop = async (): Promise<void> => {
    let last: string | undefined;
    let same = 0;
    while (!stopped) {
      nudged = false;
      const began = performance.now();
      const data = await shoot();
      if (stopped || nudged) continue;
      if (data !== undefined && data !== last) {
        last = data;
        same = 0;
        await take(Buffer.from(data, 'base64'));
      } else if (data === undefined || ++same >= sameTimes) {
        same = 0;
        await watch();
      }
      const pauseMs = data === undefined ? afterFailureMs : betweenMs - (performance.now() - began);
      if (!stopped && !nudged && pauseMs > 0) await unlessNudged(sleep(pauseMs, undefined, { ref: false }));
    }
  };

  void loop();
  return {
    nudge() {
      nudged = true;
      wake();
    },
    stop() {
      stopped = true;
      wake();
    },
  };
}
