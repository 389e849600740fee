/**
 * While a script runs, a person sees the events of its browser beside its logs, from the moment before it starts.
 */
import type { api, Browser } from '@browserd/sdk';
import type { Call } from '../../call/call.ts';
import { eventLine } from '../../output/output.ts';

export interface EventReport extends AsyncDisposable {
  /** Waits a moment for events that were still on their way when the script ended. */
  finish(): Promise<void>;
}

const reported: api.EventType[] = [
  'tab.navigated',
  'tab.opened',
  'tab.crashed',
  'console.error',
  'download.started',
  'download.completed',
  'download.failed',
  'dialog.opened',
  'policy.blocked',
  'captcha.detected',
  'browser.handoff',
  'browser.recovering',
];
const ends: api.EventType[] = ['script.completed', 'script.failed'];
const graceMs = 500;
const silent: EventReport = { finish: async () => {}, [Symbol.asyncDispose]: async () => {} };

export async function reportEvents({ out, signal }: Call, browser: Browser): Promise<EventReport> {
  if (!out.showsNotes) return silent;
  const { items } = await browser.events.list({ order: 'desc', limit: 1 }, { signal }).page();
  const stop = new AbortController();
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const follow = async (): Promise<void> => {
    const lastEventId = items[0]?.seq ?? 0;
    const events = browser.events.follow({ type: [...reported, ...ends], lastEventId, signal: stop.signal });
    for await (const event of events) {
      if (ends.includes(event.type)) ended();
      else out.note(`· ${eventLine(event)}`);
    }
  };
  // Events are only for a person; when they cannot be followed, the script still runs.
  const following = follow().catch(() => {});
  return {
    async finish() {
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([end, following, grace]);
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await following;
    },
  };
}
