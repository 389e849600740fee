/** The answers that rules give in place of the network, as Chromium takes them. */
import type { Protocol } from 'devtools-protocol';
import type { RuleAction } from '../record/rule-schema.ts';

type Paused = Protocol.Fetch.RequestPausedEvent;
type Respond = Extract<RuleAction, { action: 'respond' }>;

export interface FileBody {
  bytes: Buffer;
  mimeType: string;
}

const entries = (headers: Readonly<Record<string, string>>): Protocol.Fetch.HeaderEntry[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const has = (headers: Readonly<Record<string, string>>, wanted: string): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === wanted);

/** A page may read what its owner made up for it, also as the answer of another site. */
function readable({ request }: Paused, headers: Readonly<Record<string, string>>): Record<string, string> {
  const { Origin: origin } = request.headers;
  if (origin === undefined || has(headers, 'access-control-allow-origin')) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
}

export function answerOf(
  paused: Paused,
  { status = 200, headers = {}, body = '' }: Respond,
  file?: FileBody,
): Protocol.Fetch.FulfillRequestRequest {
  const usual = file?.mimeType ?? 'text/plain; charset=utf-8';
  const typed = has(headers, 'content-type') ? headers : { 'content-type': usual, ...headers };
  return {
    requestId: paused.requestId,
    responseCode: status,
    responseHeaders: entries({ ...typed, ...readable(paused, headers) }),
    body: (file?.bytes ?? Buffer.from(body)).toString('base64'),
  };
}

export const redirectTo = (paused: Paused, url: string): Protocol.Fetch.FulfillRequestRequest => ({
  requestId: paused.requestId,
  responseCode: 307,
  responseHeaders: entries({ location: url, 'cache-control': 'no-store', ...readable(paused, {}) }),
});

type Change = Extract<RuleAction, { action: 'headers' }>;

/**
 * The headers with which it goes on; undefined: as they are. `left` are changes that do not apply here: where a request was
 * redirected, Chromium still has what they set for the place before.
 */
export function changedHeaders(
  { request, redirectedRequestId }: Paused,
  changes: readonly Change[],
  left: readonly Change[],
): Protocol.Fetch.HeaderEntry[] | undefined {
  const stale = redirectedRequestId === undefined ? [] : left.flatMap(({ set = {} }) => Object.entries(set));
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const without = stale.filter(([name, value]) => headers.get(name.toLowerCase())?.value === value);
  if (changes.length === 0 && without.length === 0) return undefined;
  for (const [name] of without) headers.delete(name.toLowerCase());
  for (const { set = {}, remove = [] } of changes) {
    for (const name of remove) headers.delete(name.toLowerCase());
    for (const [name, value] of Object.entries(set)) headers.set(name.toLowerCase(), { name, value });
  }
  return [...headers.values()];
}
