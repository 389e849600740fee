/**
 * The full Chromium calls services of its vendor by itself, and its exit refuses those without a word. A page that asks
 * for the same hosts is told of like any other refusal: its console has a line for each request that failed, and a frame
 * that could not be loaded shows which address it was. For that the service attaches to the frames and workers of a page
 * that are targets of their own, too.
 */
import type { Cdp } from '../../chromium/chromium.ts';
import { isBackgroundHost } from '../../egress/egress.ts';
import { networkBuffers } from '../network/network.ts';
import type { Watchers } from './watchers.ts';

const longestUrl = 2048;
const below = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
const defaultPorts: Record<string, number> = { 'http:': 80, 'ws:': 80 };

/** Before anything else listens for targets: it must be on before a page is let run. */
export function tellVendorCalls(cdp: Cdp, watchers: Watchers): void {
  /** By target: second sessions of the service get the same lines again. */
  const sessions = new Map<string, string>();
  const workers = new Set<string>();
  const told = (url: string | undefined): void => {
    const { hostname: host, port, protocol } = URL.parse(url ?? '') ?? {};
    if (!url || !host || !isBackgroundHost(host)) return;
    watchers.notify('refused', {
      url: url.slice(0, longestUrl),
      host,
      port: Number(port) || (defaultPorts[protocol ?? ''] ?? 443),
      rule: 'background_service',
    });
  };
  cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo: { targetId, type } }) => {
    if (sessions.has(targetId)) return;
    sessions.set(targetId, sessionId);
    // A worker's console has no line for what it could not fetch.
    const isWorker = /worker/.test(type);
    if (isWorker) workers.add(sessionId);
    const heard = isWorker
      ? cdp.send('Network.enable', networkBuffers, { sessionId })
      : cdp.send('Log.enable', undefined, { sessionId });
    void heard.catch(() => undefined);
    // As emulation does where it reaches them: the tabs let each of them run once it is set up.
    if (type === 'page') void cdp.send('Target.setAutoAttach', below, { sessionId }).catch(() => undefined);
  });
  cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
    workers.delete(sessionId);
    for (const [targetId, own] of sessions) if (own === sessionId) sessions.delete(targetId);
  });
  cdp.on('Log.entryAdded', ({ entry }, sessionId) => {
    if (entry.source === 'network' && [...sessions.values()].includes(sessionId ?? '')) told(entry.url);
  });
  cdp.on('Network.requestWillBeSent', ({ request }, sessionId) => {
    if (workers.has(sessionId ?? '')) told(request.url);
  });
  cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
    if ([...sessions.values()].includes(sessionId ?? '')) told(frame.unreachableUrl);
  });
}
