/** A request of a page as rules see it: read from what Chromium says of it, and never more than is needed to decide. */
import type { Protocol } from 'devtools-protocol';
import { getDomain } from 'tldts';
import type { RequestType } from '../record/rule-schema.ts';

/** A page decides how long its addresses are; the rest of a longer one is not looked at. */
const longestAddress = 16_384;

export interface Asked {
  /** Without its fragment, and not all of it if it is very long. */
  url: string;
  parsed: URL;
  host: string;
  type: RequestType;
  method: string;
  /** It is for what a tab shows. */
  isPage: boolean;
  /** The document that asks; undefined where that is not known, or where the request is for a page itself. */
  source: URL | undefined;
}

const types: Partial<Record<Protocol.Network.ResourceType, RequestType>> = {
  Document: 'document',
  Stylesheet: 'stylesheet',
  Script: 'script',
  Image: 'image',
  Font: 'font',
  Media: 'media',
  TextTrack: 'media',
  XHR: 'fetch',
  Fetch: 'fetch',
  EventSource: 'fetch',
  Ping: 'ping',
  CSPViolationReport: 'ping',
};

/** Chromium's names for a type; empty: all that have no name of their own. */
export const chromiumTypes = (type: RequestType): Protocol.Network.ResourceType[] =>
  (Object.keys(types) as Protocol.Network.ResourceType[]).filter((name) => types[name] === type);

/** `document`: the address of the document in the frame that asks, where it was seen. */
export function askedBy(
  { request, resourceType }: Protocol.Fetch.RequestPausedEvent,
  { isPage, document }: { isPage: boolean; document: string | undefined },
): Asked | undefined {
  const url = request.url.slice(0, longestAddress);
  const parsed = URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return undefined;
  const { Referer: referer, Origin: origin } = request.headers;
  return {
    url,
    parsed,
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    type: types[resourceType] ?? 'other',
    method: request.method,
    isPage,
    source: isPage
      ? undefined
      : (URL.parse(referer ?? '') ?? URL.parse(origin ?? '') ?? URL.parse(document ?? '') ?? undefined),
  };
}

/** One registrable domain is one site; an address or a bare name is a site of its own. */
const siteOf = (url: URL): string => getDomain(url.hostname) ?? url.hostname;

/** Whether it goes to another site than that of the document which asks. */
export const isThirdParty = ({ parsed, source }: Asked): boolean =>
  source !== undefined && siteOf(source) !== siteOf(parsed);
