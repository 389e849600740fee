/** The URL of a call: the address of the service, the path of the operation with its ids, and the query. */
import { invalidArgument } from '../errors.ts';

export function baseAddress(given: string): string {
  // in a web page the address may be of the page's own origin: '' or '/prefix'
  const { location } = globalThis as { location?: { origin: string } };
  const url = URL.canParse(given, location?.origin) ? new URL(given, location?.origin) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw invalidArgument(
      `The base URL ${given.includes('@') ? '(not shown: it may hold a password)' : JSON.stringify(given)} is not one: write http://host:port, with a path if there is one, and give the key as apiKey.`,
    );
  return url.href.replace(/\/+$/, '');
}

export function pathOf(template: string, values: Record<string, string> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    // an empty id, or one made of dots, would lead to another path and so to another call
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value) || !value.isWellFormed())
      throw invalidArgument(`${JSON.stringify(value)} is not an id (${name}).`);
    return encodeURIComponent(value);
  });
}

/** A list repeats its name; a map becomes `name[key]=value`. Gives '' or a query with its question mark. */
export function queryOf(query: object = {}): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(pairs)).toString();
  return search && `?${search}`;
}

function pairs([name, value]: [string, unknown]): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item) => [name, String(item)]);
  if (typeof value === 'object')
    return Object.entries(value).map(([key, item]) => [`${name}[${key}]`, String(item)]);
  return [[name, String(value)]];
}
