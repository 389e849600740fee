import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/**
 * A site under many names: all of *.localhost leads to it. Its page asks for things in every way a page can, each under
 * /asked/ so that a rule can be about all of them.
 */
export interface RulesSite extends AsyncDisposable {
  port: number;
  /** The address of a path under a name such as `shop`. */
  at(name: string, path: string): string;
  /** What arrived, as `name path`, oldest first. */
  seen: string[];
  headers: Map<string, IncomingMessage['headers']>;
}

const everything = (other: string): string => `<!doctype html><title>everything</title>
<link rel=stylesheet href=/asked/style><img src=/asked/image><script src=/asked/script></script>
<iframe src=/asked/frame></iframe><iframe src="${other}/framed"></iframe>
<script>
new Worker('/asked/worker'); new Worker('/worker'); new SharedWorker('/shared');
navigator.serviceWorker.register('/service').catch(() => undefined);
fetch('/asked/fetch').catch(() => undefined);
fetch('/away').catch(() => undefined);
navigator.sendBeacon('/asked/beacon', 'x');
const old = new XMLHttpRequest(); old.open('POST', '/asked/xhr'); old.send('x');
new EventSource('/asked/events').onerror = ({ target }) => target.close();
open('/asked/popup');
</script>`;

const script = (code: string) => ({ type: 'text/javascript', code });
const pages: Record<string, (other: string) => { type: string; code: string }> = {
  '/everything': (other) => ({ type: 'text/html', code: everything(other) }),
  '/framed': () => ({ type: 'text/html', code: '<img src=/asked/in-frame>' }),
  '/sends': () => ({
    type: 'text/html',
    code: "<script>fetch('/sent', { method: 'POST', body: 'x'.repeat(40 * 1024 ** 2) })</script>",
  }),
  '/worker': () => script("fetch('/asked/from-worker').catch(() => 0); importScripts('/asked/imported')"),
  '/shared': () => script("fetch('/asked/from-shared').catch(() => 0)"),
  '/service': () => script("fetch('/asked/from-service').catch(() => 0); onfetch = () => undefined"),
};

export async function startRulesSite(): Promise<RulesSite> {
  const seen: string[] = [];
  const headers: RulesSite['headers'] = new Map();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { port } = server.address() as AddressInfo;
    const name = request.headers.host?.replace(/\.localhost:\d+$/, '') ?? '';
    const path = (request.url ?? '/').replace(/\?.*$/, '');
    seen.push(`${name} ${path}`);
    headers.set(path, request.headers);
    response.setHeader('access-control-allow-origin', '*');
    if (path === '/away') {
      response.writeHead(302, { location: `http://other.localhost:${port}/asked/redirected` }).end();
      return;
    }
    const page = pages[path]?.(`http://other.localhost:${port}`);
    response
      .setHeader('content-type', page?.type ?? 'text/html')
      .end(page?.code ?? `here is ${name} ${path}`);
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  }).listen(0, '127.0.0.1');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.send('hello'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    headers,
    at: (name, path) => `http://${name}.localhost:${port}${path}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
