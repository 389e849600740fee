import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site for crawlers: its answers are a table by path, or by host and path, and it notes who asked for what, and when. */
export interface CrawlSite extends AsyncDisposable {
  origin: string;
  port: number;
  /** The same site under a name of its own below `localhost`. */
  at(name: string): string;
  asked: { host: string; path: string; at: number }[];
  /** How often a path was asked for. */
  count(path: string): number;
}

export type CrawlAnswer = (request: IncomingMessage, response: ServerResponse) => void;
export type CrawlAnswers = Record<string, string | CrawlAnswer>;

export const links = (...paths: string[]): string =>
  paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');

export const page = (title: string, body = '', head = ''): string =>
  `<!doctype html><html lang=en><title>${title}</title>${head}<body><main><h1>${title}</h1><p>This is ${title}.</p>${body}</main>`;

export const redirect =
  (location: string, status = 302): CrawlAnswer =>
  (_, response) =>
    void response.writeHead(status, { location }).end();

export const file =
  (type: string, content: string | Buffer): CrawlAnswer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(content);

export const xml = (inner: string): CrawlAnswer => file('application/xml', `<?xml version="1.0"?>${inner}`);

export async function startCrawlSite(answersAt: (origin: string) => CrawlAnswers): Promise<CrawlSite> {
  let answers: CrawlAnswers = {};
  const asked: CrawlSite['asked'] = [];
  const server = createServer((request, response) => {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    const path = request.url ?? '/';
    asked.push({ host, path, at: performance.now() });
    const [bare = ''] = path.split('?');
    const answer = answers[`${host}${path}`] ?? answers[path] ?? answers[bare];
    if (typeof answer === 'function') return answer(request, response);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'text/html' });
    response.end(answer ?? page('nothing here'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  answers = answersAt(origin);
  return {
    origin,
    port,
    at: (name) => `http://${name}.localhost:${port}`,
    asked,
    count: (path) => asked.filter((each) => each.path === path).length,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
