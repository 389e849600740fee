/** `If-Match` (RFC 9110) of a call on a browser: the epoch that the caller believes it to be in. */
import { validationFailed } from './validate.ts';

export function readIfMatch(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const epoch = /^\s*"?(\d{1,9})"?\s*$/.exec(header)?.[1];
  if (epoch === undefined)
    throw validationFailed('header', [
      { path: 'If-Match', reason: 'expected the epoch of the browser, such as "3"' },
    ]);
  return Number(epoch);
}
