import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that hands out files in all the ways there are, also the bad ones. Bytes are made as they are sent. */
export interface DownloadSite {
  origin: string;
  /** Lets `/held` files come to their end. */
  release(): void;
  /** Bytes written to `/endless` and `/large` so far. */
  sent(): number;
  close(): Promise<void>;
}

const attachment = (name: string, more: Record<string, string | number> = {}) => ({
  'content-type': 'application/octet-stream',
  'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
  ...more,
});

const page = (body: string): string => `<!doctype html><title>downloads</title>${body}`;

const click = (href: string, name: string): string =>
  `Object.assign(document.createElement('a'), { href: ${href}, download: ${JSON.stringify(name)} }).click()`;

const pages: Record<string, string> = {
  '/': page('<a id=get href=/report>get</a>'),
  '/blob': page(`<script>${click("URL.createObjectURL(new Blob(['from a blob']))", 'blob.txt')}</script>`),
  '/data': page(`<script>${click("'data:text/plain,from data'", 'data.txt')}</script>`),
  '/opens': page("<script>window.open('/report')</script>"),
  '/framed': page('<iframe src=/report></iframe>'),
  '/again': page(`<script>setInterval(() => ${click("'/report'", 'again.csv')}, 200)</script>`),
  '/led-away': page(`<script>${click("'/away?to=http://localhost.invalid/file'", 'away.txt')}</script>`),
  '/missing': page(`<script>${click("'/nothing'", 'missing.txt')}</script>`),
  '/flood': page(`<script>for (let n = 0; n < 1000; n++) ${click("'/held?' + n", 'flood.bin')}</script>`),
};

const chunk = randomBytes(1024 ** 2);

export async function startDownloadSite(): Promise<DownloadSite> {
  const held = new Map<ServerResponse, number>();
  let bytes = 0;
  /** As fast as it is taken, up to so many bytes. */
  const pour = (response: ServerResponse, total: number): void => {
    let left = total;
    const more = (): void => {
      while (left > 0) {
        const part = chunk.subarray(0, Math.min(left, chunk.length));
        left -= part.length;
        bytes += part.length;
        if (!response.write(part)) {
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
  };
  const answers: Record<string, (response: ServerResponse, url: URL) => void> = {
    '/report': (response) => response.writeHead(200, attachment('report.csv')).end('a,b\n1,2\n'),
    '/named': (response, url) =>
      response.writeHead(200, attachment(url.searchParams.get('name') ?? '')).end('named'),
    '/empty': (response) => response.writeHead(200, attachment('empty.bin', { 'content-length': 0 })).end(),
    '/held': (response, url) => {
      const total = Number(url.searchParams.get('bytes') ?? 1000);
      response.writeHead(200, attachment('held.bin', { 'content-length': total }));
      response.write(chunk.subarray(0, total / 2));
      held.set(response, total / 2);
      response.once('close', () => held.delete(response));
    },
    '/large': (response, url) => {
      const total = Number(url.searchParams.get('bytes'));
      response.writeHead(200, attachment('large.bin', { 'content-length': total }));
      pour(response, total);
    },
    '/endless': (response) =>
      pour(response.writeHead(200, attachment('endless.bin')), Number.POSITIVE_INFINITY),
    '/liar': (response) => {
      response.writeHead(200, attachment('liar.bin', { 'content-length': 100_000, 'accept-ranges': 'none' }));
      response.write(chunk.subarray(0, 1000));
      setTimeout(() => response.destroy(), 50);
    },
    '/away': (response, url) =>
      response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end(),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    const answer = answers[url.pathname];
    if (answer) answer(response, url);
    else {
      const found = pages[url.pathname];
      response.writeHead(found ? 200 : 404, { 'content-type': 'text/html' }).end(found ?? 'nothing here');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    sent: () => bytes,
    release() {
      for (const [response, rest] of held) response.end(chunk.subarray(0, rest));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
