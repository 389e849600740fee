/** What a request is called and how it went, in a few words. Addresses and names come from pages: untrusted. */
import type { api } from '@browserd/sdk';
import type { Tone } from '../../../parts/notices/notices.ts';
import { asWords, duration, size } from '../../../parts/text/text.ts';

type Request = api.NetworkRequest;

/** `https://a.test/api/orders?id=1` → `orders?id=1` of `a.test`. Escapes stay as they are. */
export function nameOf(url: string): { name: string; host: string } {
  const { protocol, host, pathname, search } = URL.parse(url) ?? {};
  if (!host || pathname === undefined) return { name: url, host: protocol ?? '' };
  const last = pathname.split('/').findLast((part) => part !== '');
  return { name: `${last ?? '/'}${search}`, host };
}

/** The host without its port, by which the log can be filtered. */
export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? '';

export function outcomeOf({ state, status, rule, failure }: Request): { text: string; tone: Tone } {
  if (rule) return { text: asWords(rule), tone: 'bad' };
  if (failure) return { text: failure.kind, tone: failure.kind === 'cancelled' ? 'calm' : 'bad' };
  if (status === undefined) return { text: state, tone: state === 'pending' ? 'busy' : 'calm' };
  return { text: String(status), tone: status >= 400 ? 'bad' : status >= 300 ? 'calm' : 'good' };
}

export function sizeWords({ fromCache, fromServiceWorker, webSocket, wireBytes }: Request): string {
  if (fromCache) return 'from cache';
  if (fromServiceWorker) return 'from worker';
  if (!webSocket) return size(wireBytes);
  const frames = webSocket.framesSent + webSocket.framesReceived;
  return `${frames} ${frames === 1 ? 'frame' : 'frames'}`;
}

/** Of a few milliseconds the part of one counts. */
export const exactDuration = (ms: number): string =>
  ms > 0 && ms < 10
    ? `${ms.toFixed(1)} ms`
    : ms >= 1000 && ms < 10_000
      ? `${(ms / 1000).toFixed(2)} s`
      : duration(ms);

export const timeWords = ({ durationMs }: Request): string =>
  durationMs === undefined ? 'pending' : exactDuration(durationMs);

/** Whether a text that a person typed is in what the row shows: all of its words. */
export function isNamed(
  { url, method, type, mimeType, status, failure, rule }: Request,
  text: string,
): boolean {
  const all = [url, method, type, mimeType, status, failure?.error, failure?.kind, asWords(rule ?? '')];
  const shown = all.join(' ').toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => shown.includes(word));
}
