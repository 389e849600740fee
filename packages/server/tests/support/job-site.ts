import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site whose pages are counted, and can be held, broken or busy, so that a test decides what a job meets. */
export interface JobSite extends AsyncDisposable {
  origin: string;
  page(n: number | string): string;
  /** How often each path was asked for. */
  asked: Map<string, number>;
  /** Pages below `/held/` wait until they are let go. */
  held(): number;
  letGo(): void;
  /** The most pages that waited at the same time. */
  mostHeld(): number;
}

const html = (title: string, body = ''): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>This is the text of ${title}, which is long enough to be read.</p>${body}</main>`;

export async function startJobSite(): Promise<JobSite> {
  const asked = new Map<string, number>();
  const waiting = new Map<ServerResponse, string>();
  let open = false;
  let most = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    response.setHeader('content-type', 'text/html');
    if (path.startsWith('/broken-once') && times === 1) return void request.socket.destroy();
    if (path.startsWith('/broken')) {
      if (path.startsWith('/broken-always')) return void request.socket.destroy();
      return void response.end(html(path));
    }
    if (path.startsWith('/busy-once') && times === 1) return void response.writeHead(503).end(html('busy'));
    if (path.startsWith('/large'))
      return void response.end(html(path, `<p>${'A long story. '.repeat(12_000)}</p>`));
    if (!path.startsWith('/held') || open) return void response.end(html(path));
    waiting.set(response, path);
    most = Math.max(most, waiting.size);
    response.once('close', () => waiting.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    page: (n) => `${origin}/page/${n}`,
    asked,
    held: () => waiting.size,
    mostHeld: () => most,
    letGo: () => {
      open = true;
      for (const [response, path] of waiting) response.end(html(path));
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
