/**
 * What happened in the browser while a script ran, as its own process tells it. The console of the pages is turned on
 * for the time of the call: lines about CORS explain failed fetches.
 */
import { type Running, trueLine } from '../../browsers/browsers.ts';
import { iso } from '../../kit/clock.ts';
import type { Activity } from './schema.ts';

export interface CallActivity {
  readonly activity: Activity[];
  readonly corsLines: string[];
  readonly refusals: { host: string; url: string; rule: string }[];
  readonly unreachable: { host: string; netError: string; message: string }[];
  readonly proxyFailure: { code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED'; message: string } | undefined;
  /** The last file that the policy kept from a page. */
  readonly fileRefusal: { message: string; rule: string } | undefined;
  readonly crashed: boolean;
  /** Why, where that is known. */
  readonly crashReason: string | undefined;
  /** After a navigation that failed: resolves when Chromium shows its error page, which would cut off the next one. */
  errorPageShown(): Promise<void>;
  stop(): void;
}

const mostNoted = 200;
const errorPageMs = 1000;
const corsLine = /blocked by CORS policy/i;

export function watchCall(running: Running): CallActivity {
  const { cdp } = running.live.chromium;
  const { tabs } = running.live;
  const activity: Activity[] = [];
  const corsLines: string[] = [];
  const refusals: CallActivity['refusals'] = [];
  const unreachable: CallActivity['unreachable'] = [];
  let proxyFailure: CallActivity['proxyFailure'];
  let fileRefusal: CallActivity['fileRefusal'];
  let crashed = false;
  let crashReason: string | undefined;
  const errorPage = Promise.withResolvers<void>();
  const note = (type: Activity['type'], data: Record<string, unknown>): void => {
    if (activity.length < mostNoted) activity.push({ at: iso(Date.now()), type, ...data });
  };
  for (const sessionId of tabs.sessions())
    void cdp.send('Log.enable', undefined, { sessionId }).catch(() => undefined);
  const off = [
    running.live.watch({
      opened: (tab) => note('tab_opened', { tabId: tab.tabId, url: tab.url }),
      closed: (tab) => note('tab_closed', { tabId: tab.tabId, url: tab.url }),
      navigated: (tab) => note('navigation', { tabId: tab.tabId, url: tab.url }),
      dialogOpened: ({ id, type, message, url, tabId }) => {
        note('dialog', { dialogId: id, dialog: type, message: message.slice(0, 1000), url, tabId });
      },
      dialogClosed: ({ id, state, closedBy }) => {
        const entry = activity.find(({ dialogId }) => dialogId === id);
        if (entry) Object.assign(entry, { state, closedBy });
      },
      consoleError: ({ targetId, kind, text, url }) =>
        note('console_error', { tabId: tabs.tabOf(targetId), kind, text, url }),
      crashed: ({ reason }) => {
        crashed = true;
        crashReason ??= reason;
      },
      refused: (refusal) => {
        if (refusals.length < mostNoted) refusals.push(refusal);
        note('policy_blocked', { url: refusal.url, rule: refusal.rule });
      },
      fileRefused: (refusal) => {
        fileRefusal = refusal;
        note('policy_blocked', { file: refusal.file, rule: refusal.rule });
      },
      unreachable: (failure) => {
        if (unreachable.length < mostNoted) unreachable.push(failure);
      },
      upstreamFailed: (failure) => {
        proxyFailure = failure;
      },
    }),
    cdp.on('Page.frameNavigated', ({ frame }) => {
      if (frame.unreachableUrl && !frame.parentId) errorPage.resolve();
    }),
    cdp.on('Browser.downloadWillBegin', ({ url, suggestedFilename }) =>
      note('download', { url: url.slice(0, 1000), suggestedFilename: suggestedFilename.slice(0, 255) }),
    ),
    cdp.on('Log.entryAdded', ({ entry }) => {
      if (entry.level !== 'error') return;
      const text = trueLine(entry.text.slice(0, 1000), entry.url ?? '', running.live.egress);
      if (corsLine.test(text)) corsLines.push(text);
      note(entry.source === 'network' ? 'request_failed' : 'console_error', { text, url: entry.url });
    }),
  ];
  return {
    activity,
    corsLines,
    refusals,
    unreachable,
    get proxyFailure() {
      return proxyFailure;
    },
    get fileRefusal() {
      return fileRefusal;
    },
    get crashed() {
      return crashed;
    },
    get crashReason() {
      return crashReason;
    },
    errorPageShown() {
      setTimeout(errorPage.resolve, errorPageMs).unref();
      return errorPage.promise;
    },
    stop() {
      for (const each of off) each();
    },
  };
}
