/**
 * Addresses from a sitemap (sitemaps.org), as its bytes come in: XML, an index of further ones, or plain text; packed or not.
 * The file comes from a site that may be hostile, so it is never held as a whole, nothing it declares is expanded, and it is
 * left at the limits that sitemaps.org sets.
 *
 *   bytes ──> unpacked? ──> limit of bytes ──> parser ──> <loc> ──> address, or a further sitemap
 */
import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { longestAddress } from './address.ts';
import { LinesParser, Unfit, XmlParser } from './sitemap-parsers.ts';

const mostSitemapBytes = 50 * 1024 ** 2;
const mostEntries = 50_000;
/** For the parser at once: a few milliseconds of the loop that all projects share. */
const pieceBytes = 32 * 1024;

export interface SitemapEntry {
  url: string;
  /** It is the address of a further sitemap. */
  isSitemap: boolean;
}

export interface ReadingSitemap {
  /** Called for each; false: enough. */
  entry(entry: SitemapEntry): boolean;
  /** Awaited before each piece is parsed: the turn of the project. */
  turn(): Promise<void>;
}

/** Why a file, or the rest of one, was left unread. */
export type SitemapFault = 'too many bytes' | 'too many entries' | 'no sitemap';

/** Reads until the end, a limit or enough. An error of the source is thrown; a fault of the file is answered. */
export async function readSitemap(
  source: Readable,
  { entry, turn }: ReadingSitemap,
): Promise<SitemapFault | undefined> {
  let entries = 0;
  let enough = false;
  let fault: SitemapFault | undefined;
  const take = (text: string, isSitemap: boolean): void => {
    const url = text.trim();
    if (enough || url === '' || url.length > longestAddress) return;
    if (++entries > mostEntries) fault = 'too many entries';
    enough = fault !== undefined || !entry({ url, isSitemap });
  };
  let bytes = 0;
  let parser: LinesParser | XmlParser | undefined;
  const decoder = new TextDecoder();
  const parse = (piece: Buffer | undefined): void => {
    const text = decoder.decode(piece, { stream: piece !== undefined });
    parser ??= /^\s*</.test(text) ? new XmlParser(take) : new LinesParser(take);
    parser.write(text);
    if (piece === undefined) parser.end();
  };
  try {
    for await (const chunk of await unpacked(source)) {
      for (const piece of cut(chunk)) {
        await turn();
        bytes += piece.length;
        if (bytes > mostSitemapBytes) return 'too many bytes';
        parse(piece);
        if (enough) return fault;
      }
    }
    parse(undefined);
    return fault;
  } catch (error) {
    if (error instanceof Unfit || isUnpackingError(error)) return 'no sitemap';
    throw error;
  } finally {
    source.destroy();
  }
}

/** `.gz` files are sent as they are; what was only packed for the way, Chromium has unpacked. */
async function unpacked(source: Readable): Promise<Readable> {
  await once(source, 'readable');
  const first: Buffer | null = source.read();
  if (first) source.unshift(first);
  if (first?.[0] !== 0x1f || first[1] !== 0x8b) return source;
  return pipeline(source, createGunzip(), () => undefined);
}

function* cut(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
}

const isUnpackingError = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code?.startsWith('Z_') === true;
