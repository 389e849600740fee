import type { api, Browser } from '@browserd/sdk';
import type { Call } from './call.ts';
import { oneLine } from './plain-text.ts';

/**
 * What a person wants to see beside the logs of a script, until it has ended: the events of its browser, followed from
 * the moment before it starts.
 */
export interface EventTeller extends AsyncDisposable {
  /** Waits a moment for what was still on its way when the script ended. */
  finish(): Promise<void>;
}

const told: api.EventType[] = [
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
const nobody: EventTeller = { finish: async () => {}, [Symbol.asyncDispose]: async () => {} };

export async function tellEvents({ out, signal }: Call, browser: Browser): Promise<EventTeller> {
  if (!out.talks) return nobody;
  const { items } = await browser.events.list({ order: 'desc', limit: 1 }, { signal }).page();
  const stop = new AbortController();
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const follow = async (): Promise<void> => {
    const lastEventId = items[0]?.seq ?? 0;
    const events = browser.events.follow({ type: [...told, ...ends], lastEventId, signal: stop.signal });
    for await (const event of events) {
      if (ends.includes(event.type)) ended();
      else out.note(`· ${eventLine(event)}`);
    }
  };
  // Only told for a person's sake: when the line cannot be had, the script matters and this does not.
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

/** `type` and the one or two things that it is about. */
export function eventLine({ type, data }: api.Event): string {
  const fields = data as Record<string, unknown>;
  const about = ['url', 'suggestedFilename', 'message', 'text', 'code', 'state', 'reason', 'rule', 'mode']
    .map((name) => fields[name])
    .filter((value) => typeof value === 'string' && value !== '')
    .map((value) => oneLine(String(value).slice(0, 300)));
  return [type, ...new Set(about)].join('  ');
}
