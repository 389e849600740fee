/** `Prefer` (RFC 7240) of a create: `respond-async`, and `wait=N` seconds in the queue. Unknown ones are ignored, as it says. */
import { validationFailed } from './validate.ts';

export interface Prefer {
  respondAsync: boolean;
  waitMs?: number;
  /** What `Preference-Applied` answers; absent when nothing was asked. */
  applied?: string;
}

const longestWait = 600;

export function readPrefer(header: string | string[] | undefined): Prefer {
  const asked = [header ?? []].flat().join(',').split(',');
  const words = asked.map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  const respondAsync = words.includes('respond-async');
  const wait = words
    .map((word) => /^wait\s*=\s*"?([^"]*)"?$/.exec(word)?.[1])
    .find((value) => value !== undefined);
  const seconds = wait === undefined ? undefined : /^\d{1,9}$/.test(wait) ? Number(wait) : Number.NaN;
  if (seconds !== undefined && !(seconds >= 1 && seconds <= longestWait))
    throw validationFailed('header', [
      { path: 'Prefer', reason: `wait must be 1 to ${longestWait} seconds` },
    ]);
  const applied = [
    respondAsync ? 'respond-async' : [],
    seconds === undefined ? [] : `wait=${seconds}`,
  ].flat();
  return {
    respondAsync,
    waitMs: seconds === undefined ? undefined : seconds * 1000,
    applied: applied.length > 0 ? applied.join(', ') : undefined,
  };
}
