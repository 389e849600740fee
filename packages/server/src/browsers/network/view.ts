/** A request of the log as the API shows it, with what is hidden unless an admin asked for it. */
import { iso } from '../../kit/clock.ts';
import { isSecretHeader, isSecretValue, masked } from '../../kit/mask-headers.ts';
import { redactAddress } from '../../kit/redact-address.ts';
import type { Headers, LoggedRequest } from './logged-request.ts';
import type { NetworkRequest, NetworkRequestDetail } from './schema.ts';

export interface Shown {
  tabId: string;
  reveal?: boolean;
}

export function shownRequest(request: LoggedRequest, { tabId, reveal = false }: Shown): NetworkRequest {
  const address = (url: string): string => (reveal ? url : redactAddress(url));
  const { initiator, failure, durationMs, answered, began } = request;
  const told = durationMs ?? 0;
  const receive =
    answered === undefined ? -1 : Math.max(0, Math.round((told - (answered - began) * 1000) * 10) / 10);
  return defined({
    id: request.id,
    tabId,
    from: request.from,
    method: request.method,
    url: address(request.url),
    type: request.type,
    state: request.state,
    status: request.status || undefined,
    statusText: request.statusText || undefined,
    mimeType: request.mimeType || undefined,
    protocol: request.protocol,
    startedAt: iso(Math.floor(request.startedAt)),
    durationMs,
    timing: request.timing && { ...request.timing, receive },
    fromCache: request.fromCache,
    fromServiceWorker: request.fromServiceWorker,
    initiator: initiator && { ...initiator, ...(initiator.url && { url: address(initiator.url) }) },
    remoteAddress: request.remoteAddress,
    proxy: request.proxy,
    vouched: request.vouched,
    rule: request.rule,
    failure,
    wireBytes: Math.max(0, request.wireBytes),
    bodyBytes: request.bodyBytes,
    redirectedTo: request.redirectedTo,
    webSocket: request.webSocket && { ...request.webSocket },
  });
}

export const redactHeaders = (headers: Headers): { name: string; value: string }[] =>
  headers.map(([name, value]) => ({
    name,
    value: isSecretHeader(name) || isSecretValue(value) ? masked : redactAddress(value),
  }));

export function shownDetail(request: LoggedRequest, shown: Shown): NetworkRequestDetail {
  const headers = (list: LoggedRequest['requestHeaders']) =>
    shown.reveal ? list.map(([name, value]) => ({ name, value })) : redactHeaders(list);
  return defined({
    ...shownRequest(request, shown),
    requestHeaders: headers(request.requestHeaders),
    responseHeaders: headers(request.responseHeaders),
    hasRequestBody: request.hasRequestBody,
    headersCut: request.headersCut,
  });
}

const defined = <T extends object>(view: T): T =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined)) as T;
