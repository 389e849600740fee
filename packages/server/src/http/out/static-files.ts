/**
 * The files of our own pages:
 *
 *   disk ──at start──> memory ──one route per exact path──> client      no path of a caller ever meets the disk
 *
 * A script in TypeScript loses its types when it is first asked for, so that no start waits for that, and imports others by
 * the addresses under which they are served.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { withoutTypes } from '../../kit/own-source.ts';
import type { App } from '../wire/wire.ts';
import { etagMatches } from './content.ts';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

const importedScript = /^(import [^;']*? from '\.[^']*\.)ts';$/gm;

const asJavaScript = (source: Buffer): Buffer =>
  Buffer.from(withoutTypes(source.toString()).replace(importedScript, "$1js';"));

interface Served {
  bytes: Buffer;
  etag: string;
}

function servedFrom(path: string): () => Served {
  const source = readFileSync(path);
  let served: Served | undefined;
  const make = (): Served => {
    const bytes = extname(path) === '.ts' ? asJavaScript(source) : source;
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
  };
  return () => (served ??= make());
}

const typeOf = (name: string): string => types[extname(name)] ?? 'application/octet-stream';

/** A content security policy as a table: what may come from where. Nothing else may come at all. */
export const contentPolicy = (sources: Record<string, string>): string =>
  Object.entries({ 'default-src': "'none'", ...sources })
    .map(([kind, from]) => `${kind} ${from}`)
    .join('; ');

type Headers = Record<string, string>;

/**
 * One file under one or more addresses. It is sent again only to clients that have no current copy. Files are hidden
 * from the API's document unless a schema describes the first of their addresses.
 */
export function serveFile(
  app: App,
  urls: string[],
  path: string,
  headers: Headers | ((request: FastifyRequest) => Promise<Headers>),
  schema: FastifySchema = { hide: true },
): void {
  const served = servedFrom(path);
  for (const [index, url] of urls.entries())
    app.route({
      method: 'GET',
      url,
      schema: index === 0 ? schema : { hide: true },
      handler: async (request, reply) => {
        const { bytes, etag } = served();
        const particular = typeof headers === 'function' ? await headers(request) : headers;
        reply.headers({ 'cache-control': 'no-cache', etag, ...particular });
        if (etagMatches(request.headers['if-none-match'], etag)) return reply.code(304).send();
        return reply.type(typeOf(path)).send(bytes);
      },
    });
}
