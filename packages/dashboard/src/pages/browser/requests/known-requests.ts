/**
 * The requests that are known so far, oldest first. The log is asked again and again, newest first, so pages overlap, and
 * requests change until they end. What did not change stays the same object, so that its row is not drawn again.
 */
import type { api } from '@browserd/sdk';

export type Row = api.NetworkRequest;

/** More than this would only slow the page down; a HAR has all of them. */
export const mostKnown = 10_000;

/** `fresh` is newest first, as the service gives it. */
export function joined(known: readonly Row[], fresh: readonly Row[]): readonly Row[] {
  const all = new Map(known.map((row) => [row.id, row]));
  let isChanged = false;
  for (const row of fresh.toReversed()) {
    const before = all.get(row.id);
    if (before && isSame(before, row)) continue;
    all.set(row.id, row);
    isChanged = true;
  }
  if (!isChanged) return known;
  // The sort is stable: what began in the same millisecond stays in the order of the log.
  return [...all.values()].sort((a, b) => order(a.startedAt, b.startedAt)).slice(-mostKnown);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Both come from the same service, with their fields in the same order. */
const isSame = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Of the details of a request, what the list has of it. */
export function rowOf(detail: api.NetworkRequestDetail): Row {
  const { requestHeaders: _, responseHeaders: __, hasRequestBody: ___, headersCut: ____, ...row } = detail;
  return row;
}
