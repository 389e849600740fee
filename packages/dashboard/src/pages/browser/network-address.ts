/**
 * What is to be seen of the log of requests, as part of the address of the page: it can be bookmarked, shared, and linked
 * to from the timeline. The address may come from anywhere, so what does not fit is left out.
 *
 *   ?view=network&type=fetch&failed=true&since=2026-01-01T12:00:00.000Z&request=request_01ja…
 */

/** Kinds of requests as a person tells them apart; each stands for types of the log. */
export const requestKinds = {
  document: { label: 'Documents', types: ['document'] },
  fetch: { label: 'Fetch and XHR', types: ['fetch', 'xhr', 'preflight', 'eventsource'] },
  script: { label: 'Scripts', types: ['script'] },
  stylesheet: { label: 'Stylesheets', types: ['stylesheet'] },
  image: { label: 'Images', types: ['image'] },
  font: { label: 'Fonts', types: ['font'] },
  media: { label: 'Media', types: ['media', 'texttrack'] },
  websocket: { label: 'WebSockets', types: ['websocket'] },
  other: {
    label: 'Other',
    types: ['manifest', 'ping', 'prefetch', 'signedexchange', 'cspviolationreport', 'other'],
  },
} as const;
export type RequestKind = keyof typeof requestKinds;

export const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof statusClasses)[number];

export interface RequestsView {
  kind?: RequestKind;
  status?: StatusClass;
  /** The host of the address, or one above it. */
  host?: string;
  failed?: boolean;
  tab?: string;
  /** ISO-8601: only those that began then or later. */
  since?: string;
  /** The id of the request whose details are shown. */
  request?: string;
}

export function requestsAddress(browserId: string, view: RequestsView): string {
  const { kind, failed, ...rest } = view;
  const given = { view: 'network', type: kind, failed: failed ? 'true' : undefined, ...rest };
  const entries = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/app/browsers/${browserId}?${new URLSearchParams(entries)}`;
}

export function requestsViewOf(search: string): RequestsView {
  const given = new URLSearchParams(search);
  const short = (name: string, most: number): string | undefined => {
    const text = given.get(name);
    return text !== null && text !== '' && text.length <= most ? text : undefined;
  };
  const kind = given.get('type') ?? '';
  const status = statusClasses.find((known) => known === given.get('status'));
  const since = Date.parse(given.get('since') ?? '');
  return {
    kind: Object.hasOwn(requestKinds, kind) ? (kind as RequestKind) : undefined,
    status,
    host: short('host', 253),
    failed: given.get('failed') === 'true' || undefined,
    tab: short('tab', 128),
    since: Number.isNaN(since) ? undefined : new Date(since).toISOString(),
    request: short('request', 128),
  };
}
