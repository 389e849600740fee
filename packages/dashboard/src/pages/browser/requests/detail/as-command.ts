/**
 * A request as a curl command. The page that made the request chose nearly all of its words, and a person pastes them into
 * a shell: each is quoted, and a word that a terminal would obey before the shell sees the quotes is left out.
 */
import type { api } from '@browserd/sdk';
import { shellQuoted } from '../../../../parts/copy/copy.ts';
import { plainly } from '../../../../parts/text/text.ts';

type Facts = Pick<api.NetworkRequestDetail, 'method' | 'url' | 'requestHeaders' | 'hasRequestBody'>;

export interface Command {
  text: string;
  /** What the request had and the command lacks, in words of our own. */
  lacks: readonly string[];
}

/** What the service shows in place of credentials, in headers and in addresses. */
const hidden = '•••';
const hiddenInAddress = '***';

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Names that mean nothing to any shell, also where it takes a comment for a command. */
const harmless = /^[A-Za-z0-9-]{1,60}$/;
const isObeyed = (value: string): boolean => plainly(value) !== value || /[\t\r\n]/.test(value);

/** Curl sends these by itself, as they fit the connection that it makes. */
const ofConnection = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'proxy-connection',
  'transfer-encoding',
]);

/** Undefined: curl, or a person, had better not ask for it. */
export function asCommand({ method, url, requestHeaders, hasRequestBody }: Facts): Command | undefined {
  if (!/^https?:\/\//i.test(url) || !token.test(method)) return undefined;
  const sent: string[] = [];
  const secret: string[] = [];
  const obeyed: string[] = [];
  let isCompressed = false;
  for (const { name, value } of requestHeaders) {
    const lower = name.toLowerCase();
    isCompressed ||= lower === 'accept-encoding';
    if (ofConnection.has(lower) || name.startsWith(':')) continue;
    if (value === hidden) secret.push(name);
    else if (!token.test(name) || isObeyed(value)) obeyed.push(name);
    // Curl takes `name:` for the wish to send no such header.
    else sent.push(value === '' ? `${name};` : `${name}: ${value}`);
  }
  const lacks = [
    ...headersLacked('hidden', secret),
    ...headersLacked('unsafe', obeyed),
    ...(url.includes(hiddenInAddress) ? ['hidden parts of the address'] : []),
    ...(hasRequestBody ? ['the body'] : []),
  ];
  const options = [
    ...(method === 'HEAD' ? ['--head'] : method === 'GET' ? [] : [`-X ${shellQuoted(method)}`]),
    ...sent.map((header) => `-H ${shellQuoted(header)}`),
    ...(isCompressed ? ['--compressed'] : []),
  ];
  // Brackets in an address mean nothing to a site, and a list of addresses to curl.
  const command = [`curl --globoff ${shellQuoted(plainAddress(url))}`, ...options].join(' \\\n  ');
  return { text: [...lacks.map((lack) => `# without ${lack}`), command].join('\n'), lacks };
}

function headersLacked(why: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const word = names.length === 1 ? 'header' : 'headers';
  if (!names.every((name) => harmless.test(name))) return [`${names.length} ${why} ${word}`];
  return [`the ${why} ${word} ${names.join(', ')}`];
}

/** Chromium has escaped what is no part of an address; an address that was cut may end anywhere. */
const plainAddress = (url: string): string =>
  url.replace(/[^\u0021-\u007e]/gu, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '';
    }
  });
