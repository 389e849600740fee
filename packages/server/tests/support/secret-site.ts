import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site with a sign-in, and another one that would like to have what is typed there. */
export interface SecretSite extends AsyncDisposable {
  origin: string;
  port: number;
  /** Of the other site: another host, so that Chromium gives it a process of its own. */
  other: string;
  /** What was posted to either of them. */
  posted: { path: string; body: string }[];
}

const html = (body: string, title = 'page'): string => `<!doctype html><title>${title}</title>${body}`;

const login = html(
  `<form method="post" action="/session">
     <input id="user" name="user"><input id="password" type="password" name="password">
     <input id="code" name="code" autocomplete="one-time-code"><button id="go">Sign in</button>
   </form>
   <form action="/seen"><input id="shown" name="q" style="font: 20px monospace; width: 400px"><button>Search</button></form>
   <input id="readonly" readonly><input id="disabled" disabled>
   <input id="clear" style="opacity: 0; width: 100px; height: 20px"><input id="flat" style="width: 0; height: 0; padding: 0; border: 0">
   <div id="note" contenteditable style="width: 200px; height: 40px"></div><textarea id="text"></textarea>
   <div id="host"></div><script>
     host.attachShadow({ mode: 'open' }).innerHTML = '<input id="deep">';
     window.heard = [];
     for (const type of ['beforeinput', 'input', 'change'])
       addEventListener(type, (event) => heard.push(type + ':' + event.isTrusted), true);
   </script>`,
  'sign in',
);

export async function startSecretSite(): Promise<SecretSite> {
  const posted: SecretSite['posted'] = [];
  const places = { origin: '', other: '' };
  const pages: Record<string, () => string> = {
    '/login': () => login,
    '/steal': () => html('<input id="password" type="password" autofocus>', 'steal'),
    '/framed-own': () => html('<iframe id="f" src="/login" width="500" height="300"></iframe>'),
    '/framed-other': () =>
      html(`<iframe id="f" src="${places.other}/steal" width="300" height="100"></iframe>`),
    '/framed-by-other': () =>
      html(`<iframe id="f" src="${places.origin}/login" width="500" height="300"></iframe>`),
    '/sandboxed': () =>
      html('<iframe id="f" sandbox="allow-scripts" src="/login" width="500" height="300"></iframe>'),
    '/leaves': () =>
      html(
        `<input id="password" type="password"><script>password.onfocus = () => { location = '${places.other}/steal' }</script>`,
      ),
    '/gives-away': () =>
      html(
        `<input id="password" type="password"><iframe id="f" src="${places.other}/steal" width="300" height="100"></iframe>
         <script>password.onfocus = () => f.focus()</script>`,
      ),
    '/seen': () => html('<p>thanks</p>', 'thanks'),
    '/session': () => html('<p>signed in</p>', 'signed in'),
  };
  const start = async (host: string): Promise<Server> => {
    const server = createServer((request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method === 'POST') posted.push({ path, body: Buffer.concat(chunks).toString() });
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end(pages[path]?.() ?? 'nothing');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return server;
  };
  const servers = [await start('127.0.0.1'), await start('127.0.0.1')];
  const [port = 0, otherPort = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  places.origin = `http://127.0.0.1:${port}`;
  places.other = `http://localhost:${otherPort}`;
  return {
    ...places,
    port,
    posted,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        servers.map(
          (server) =>
            new Promise<void>((resolve) => {
              server.close(() => resolve());
              server.closeAllConnections();
            }),
        ),
      );
    },
  };
}
