/**
 * Addresses that a site makes without end: calendars that go on for ever, filters in every combination, paths that repeat
 * themselves. They are told by their form alone, and only so many of one form are visited; a form that real sites have in
 * thousands (`/product/17`) is never bounded here, for that the number of pages of the job is there.
 */
import { addressOf } from './address.ts';

export interface Trap {
  /** The same for all addresses of the form. */
  name: string;
  /** So many of them are visited. */
  most: number;
  remark: { code: string; message: string };
}

const mostDates = 200;
const mostRepeating = 10;
const mostSegments = 25;
/** By the number of parameters: one is a page number or an id, four are a filter. */
const mostQueries = [Number.POSITIVE_INFINITY, 5000, 1000, 300, 100];

export function trapOf(url: string): Trap | undefined {
  const key = addressOf(url)?.key;
  if (key === undefined) return undefined;
  const { host, pathname, searchParams } = new URL(key);
  const segments = pathname.split('/').slice(1);
  if (isRepeating(segments))
    return trap(`${host}/ repeated`, mostRepeating, 'trap_path', {
      form: host,
      why: 'their paths repeat themselves',
    });
  const form = `${host}/${withoutDates(segments).join('/')}`;
  const names = [...new Set(searchParams.keys())];
  if (form !== host + pathname || [...searchParams].some(isDate))
    return trap(`${form}?${names.join('&')}`, mostDates, 'trap_calendar', {
      form: `${form}${names.length > 0 ? `?${names.join('=*&')}=*` : ''}`,
      why: 'they look like a calendar without end',
    });
  const count = Math.min(searchParams.size, mostQueries.length - 1);
  if (count === 0) return undefined;
  const path = pathname.replace(/\d+/g, '*');
  return trap(`${host}${path}?${count}`, mostQueries[count] ?? 0, 'trap_query', {
    form: `${host}${path}?*`,
    why: `they differ only in ${count === 1 ? 'one parameter' : `${count}${count === mostQueries.length - 1 ? ' or more' : ''} parameters`}`,
  });
}

const trap = (
  name: string,
  most: number,
  code: string,
  { form, why }: { form: string; why: string },
): Trap => ({
  name,
  most,
  remark: { code, message: `Of the addresses like ${form} only ${most} were taken, because ${why}.` },
});

/** `/a/b/a/b/a/b`, `/x/a/a/a`, one part four times, or deeper than sites are. */
function isRepeating(segments: readonly string[]): boolean {
  if (segments.length > mostSegments) return true;
  const counts = new Map<string, number>();
  for (const segment of segments) if (segment) counts.set(segment, (counts.get(segment) ?? 0) + 1);
  if ([...counts.values()].some((count) => count > 3)) return true;
  for (let length = 1; length * 3 <= segments.length; length++)
    for (let at = 0; at + length * 3 <= segments.length; at++) {
      const [one, two, three] = [0, 1, 2].map((n) =>
        segments.slice(at + n * length, at + (n + 1) * length).join('/'),
      );
      if (one !== '' && one === two && two === three) return true;
    }
  return false;
}

const year = /^(?:19|2\d)\d\d$/;
const isoDate = /^(?:19|2\d)\d\d-?(?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?$|^(?:19|2\d)\d\d-W\d\d$/;
const monthOrDay = /^(?:0?[1-9]|[12]\d|3[01])$/;
const nameOfTime = /^(?:\w*[_-])?(?:date|day|week|month|year)$/i;

/** A date that ends the path: what stands behind one, such as the title of an article, names a page. */
function withoutDates(segments: readonly string[]): string[] {
  const ends = segments.at(-1) === '' ? segments.slice(0, -1) : [...segments];
  const tail = ends.length < segments.length ? [''] : [];
  if (isoDate.test(ends.at(-1) ?? '')) return [...ends.slice(0, -1), '*', ...tail];
  for (const length of [3, 2]) {
    const [first = '', ...rest] = ends.slice(-length);
    if (rest.length === length - 1 && year.test(first) && rest.every((part) => monthOrDay.test(part)))
      return [...ends.slice(0, -length), ...Array<string>(length).fill('*'), ...tail];
  }
  return [...segments];
}

const isDate = ([name, value]: [string, string]): boolean =>
  isoDate.test(value) || (nameOfTime.test(name) && /\d/.test(value));
