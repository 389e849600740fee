/**
 * When two addresses are the same page. An address is visited as the site wrote it; only its key is made plain, so that a
 * page that is linked in ten spellings is visited once. What could name another page stays in the key: the scheme, `www.`,
 * a slash at the end, letter case in the path. Redirects and canonical addresses settle those.
 */
export interface Address {
  /** As it is visited: absolute, without fragment and credentials. */
  url: string;
  /** The same for all spellings of one page. */
  key: string;
}

/** Longer ones are made by scripts that append to what they got. */
export const longestAddress = 2048;

/** They tell the site where a visitor came from, and change nothing on the page. */
const tracking =
  /^(?:utm_\w+|gclid|gclsrc|dclid|wbraid|gbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|li_fat_id|mc_[ce]id|_ga|_gl|_hs(?:enc|mi)|mkt_tok|vero_id|oly_(?:anon|enc)_id|wickedid)$/i;
/** They name a visitor, not a page. */
const sessions = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken)$/i;
/** Names that often stand for a session; only a value that a machine made is one. */
const perhapsSession = /^(?:s|sid|session|sess|session_?id)$/i;
const machineMade = /^(?=.*\d)[0-9a-z_-]{20,}$/i;

const namesVisitor = (name: string, value: string): boolean =>
  tracking.test(name) || sessions.test(name) || (perhapsSession.test(name) && machineMade.test(value));

/** Undefined: not an address of the web, or none that a page could have. */
export function addressOf(text: string, base?: string): Address | undefined {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > longestAddress) return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  return { url: url.href, key: keyOf(url) };
}

function keyOf({ protocol, host, pathname, searchParams }: URL): string {
  const path = plainEscapes(pathname.replace(/;jsessionid=[^/;]*/gi, ''));
  const kept = [...searchParams].filter(([name, value]) => !namesVisitor(name, value));
  // By name alone: of two values of one name, the first may be the one that counts.
  const query = new URLSearchParams(kept.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))).toString();
  return `${protocol}//${host}${path}${query && `?${query}`}`;
}

/** `%7e`, `%7E` and `~` are one character (RFC 3986, 6.2.2). */
const plainEscapes = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
  });
