/**
 * Looks through the log of a browser, newest first. It may hold tens of thousands of requests, of each of which an address may
 * have to be parsed, and pages decide how many they are: hence the steps.
 */
import type { LoggedRequest } from './logged-request.ts';
import type { Entry, TabLog } from './tab-logs.ts';

export interface NetworkFilter {
  tabId?: string;
  type?: readonly string[];
  status?: string;
  host?: string;
  failed?: boolean;
  /** Milliseconds since 1970. */
  since?: number;
  /** Only those that began after the one of this number. */
  afterSeq?: number;
  /** Only those that began before it. */
  beforeSeq?: number;
}

export interface Found {
  request: LoggedRequest;
  tabId: string;
}

/** Looked at in one step. */
const stepRequests = 100;

/** `entries`: oldest first. It ends as soon as it has as many as are wanted. */
export function* finding(
  entries: readonly Entry[],
  wanted: { filter: NetworkFilter; most: number; tabOf(log: TabLog): string | undefined },
): Generator<undefined, Found[]> {
  const { filter, most, tabOf } = wanted;
  const { afterSeq = 0, beforeSeq = Number.POSITIVE_INFINITY } = filter;
  const found: Found[] = [];
  let looked = 0;
  for (let at = entries.length - 1; at >= 0 && found.length < most; at--) {
    const { log, request } = entries[at]!;
    if (request.seq <= afterSeq) break;
    if (request.seq >= beforeSeq) continue;
    if (++looked % stepRequests === 0) yield;
    const tabId = tabOf(log);
    if (tabId === undefined || (filter.tabId !== undefined && filter.tabId !== tabId)) continue;
    if (fits(request, filter)) found.push({ request, tabId });
  }
  return found;
}

function fits(request: LoggedRequest, filter: NetworkFilter): boolean {
  const { type, status, host, failed, since } = filter;
  if (since !== undefined && Math.floor(request.startedAt) < since) return false;
  if (type?.length && !type.includes(request.type)) return false;
  if (failed && request.state !== 'failed' && (request.status ?? 0) < 400) return false;
  if (status !== undefined && !isOf(status, request.status)) return false;
  return host === undefined || isBelow(request.url, host.toLowerCase());
}

const isOf = (wanted: string, status = 0): boolean =>
  wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted);

function isBelow(url: string, host: string): boolean {
  const { hostname = '', host: withPort = '' } = URL.parse(url) ?? {};
  return hostname === host || withPort === host || hostname.endsWith(`.${host}`);
}
