/**
 * HTML that was sent along with files beside it. Such a page has an address of its own, on a host that is nowhere, where
 * the page's relative addresses lead to the files: Chromium gets them from here and asks no network for them.
 */
import type { Protocol } from 'devtools-protocol';
import { mediaTypeOf } from '../../artifacts/artifacts.ts';
import type { Asset } from './schema.ts';

/** Reserved by RFC 6761: no name below it is ever found. */
const origin = 'http://page.browserd.invalid';
export const sentPageUrl = `${origin}/`;
export const sentPagePattern = `${origin}/*`;

const headBytes = 4100;

type Answer = Omit<Protocol.Fetch.FulfillRequestRequest, 'requestId'>;

/** What the page and its files are answered with; undefined for any other address. */
export function sentPage(html: string, assets: readonly Asset[]): (url: string) => Answer | undefined {
  const files = new Map(assets.map((asset) => [addressOf(asset.name), asset]));
  return (asked) => {
    const url = URL.parse(asked);
    if (url?.origin !== origin) return undefined;
    if (url.pathname === '/') return found('text/html; charset=utf-8', Buffer.from(html).toString('base64'));
    const asset = files.get(url.pathname);
    if (!asset) return { responseCode: 404, responseHeaders: [] };
    const head = Buffer.from(asset.content.slice(0, headBytes), 'base64');
    return found(mediaTypeOf({ head, name: asset.name }), asset.content);
  };
}

/** As Chromium writes the path of a relative address. */
const addressOf = (name: string): string =>
  new URL(name.split('/').map(encodeURIComponent).join('/'), origin).pathname;

const found = (type: string, body: string): Answer => ({
  responseCode: 200,
  responseHeaders: [
    { name: 'content-type', value: type },
    // fonts are asked for as from elsewhere when the page is in a sandboxed frame
    { name: 'access-control-allow-origin', value: '*' },
  ],
  body,
});
