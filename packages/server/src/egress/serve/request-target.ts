/**
 * Where a request goes, read from its target alone: a page can forge the Host header.
 *
 *   CONNECT example.com:443          GET http://example.com/path?query
 */

import { bracketed, parseAuthority, type Target } from '../policy/policy.ts';
import { Refused } from '../way/way.ts';

export interface Asked {
  target: Target;
  /** Absolute, with the normalised host; for a CONNECT the same as the authority. */
  url: string;
  path: string;
  authority: string;
}

function readAuthority(text: string): { host: string; port?: number } {
  const place = parseAuthority(text);
  if (place !== undefined) return place;
  throw new Refused(
    /:\d*$/.test(text) && parseAuthority(text.replace(/:\d*$/, '')) ? 'invalid_port' : 'invalid_host',
  );
}

export function readConnect(text: string): Asked {
  const { host, port } = readAuthority(text);
  if (port === undefined) throw new Refused('invalid_port');
  const authority = `${bracketed(host)}:${port}`;
  return { target: { scheme: 'tunnel', host, port }, url: authority, path: '', authority };
}

export function readAbsolute(text: string, scheme: 'http' | 'ws'): Asked {
  const [, written, userHostPort, rest] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([/?][\x21-\xff]*)?$/i.exec(text) ?? [];
  if (written === undefined || userHostPort === undefined) throw new Refused('invalid_host');
  const named = written.toLowerCase();
  if (named !== 'http' && named !== scheme) throw new Refused('unsupported_scheme');
  const { host, port = 80 } = readAuthority(userHostPort);
  const path = rest === undefined ? '/' : rest.startsWith('?') ? `/${rest}` : rest;
  const authority = port === 80 ? bracketed(host) : `${bracketed(host)}:${port}`;
  return { target: { scheme, host, port }, url: `http://${authority}${path}`, path, authority };
}
