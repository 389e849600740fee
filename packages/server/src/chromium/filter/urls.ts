/**
 * Which addresses a client may open. Judged as Chromium will read them: the WHATWG parser takes away case, blanks,
 * tabs and line breaks, and what it made of the text is what is sent on, not the text.
 *
 * `javascript:` is not among them: what it could do, Runtime.evaluate does in the open.
 */
const everywhere = new Set(['http:', 'https:', 'data:']);
const aboutPages = new Set(['blank', 'srcdoc']);

/** Extensions of the browser, by their ids, which are the hosts of their pages. */
export type ExtensionIds = ReadonlySet<string>;

type Address = { href: string } | { refusal: string };

export function readAddress(text: unknown, extensionIds?: ExtensionIds): Address {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (!url) return { refusal: 'Cannot navigate to invalid URL' };
  return isOpen(url, extensionIds)
    ? { href: url.href }
    : { refusal: `Addresses that begin with '${url.protocol}' are not allowed here` };
}

/** For what is fetched, not shown. */
export function readNetworkAddress(text: unknown): Address {
  const address = readAddress(text);
  if ('refusal' in address || /^https?:/.test(address.href)) return address;
  return { refusal: 'Only http: and https: addresses can be fetched here' };
}

function isOpen(url: URL, extensionIds: ExtensionIds | undefined): boolean {
  if (everywhere.has(url.protocol)) return true;
  // Chromium has extensions of its own, whose pages stay closed.
  if (url.protocol === 'chrome-extension:') return extensionIds?.has(url.hostname) ?? false;
  if (url.protocol === 'about:') return aboutPages.has(url.pathname);
  // A blob belongs to the page that made it, so that page's own kind counts.
  return url.protocol === 'blob:' && /^(https?:\/\/|null\/)/.test(url.pathname);
}

/** What a client may know of: also pages not yet anywhere, and Chromium's page about a failed load. */
export function mayBeSeen(url: string, extensionIds?: ExtensionIds): boolean {
  if (url === '' || url.startsWith('chrome-error:')) return true;
  const parsed = URL.parse(url);
  return parsed !== null && isOpen(parsed, extensionIds);
}
