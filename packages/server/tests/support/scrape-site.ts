import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { article, form, listing } from './scrape-pages.ts';

/** Everything a page can be when it is asked for: late, elsewhere, endless, huge, in another alphabet, no page at all. */
type Answer = string | ((response: ServerResponse, url: URL) => void);

const html = (body: string): string => `<!doctype html>${body}`;
const send = (response: ServerResponse, type: string, body: string | Buffer, status = 200): void => {
  response.writeHead(status, { 'content-type': type }).end(body);
};
function* endlessly<T>(part: T): Generator<T> {
  for (;;) yield part;
}
const words = 'Words enough to be a text that somebody would like to read in the morning. '.repeat(5);

const nested = (levels: number): string =>
  html(`<title>deep</title><p>Top. ${words}</p><script>
    let at = document.body; for (let i = 0; i < ${levels}; i++) { const d = document.createElement('div'); at.append(d); at = d } at.append('Bottom.')</script>`);

const fetching = (path: string): string =>
  html(`<title>app</title><div id=root>Loading…</div><script>
    fetch('${path}').then((r) => r.text()).then((t) => { root.innerHTML = '<main><h1>Fetched</h1><p>' + t + '</p></main>' })</script>`);

const answers: Record<string, Answer> = {
  '/article': article,
  '/listing': listing,
  '/form': form,
  '/late-fetch': fetching('/slow'),
  '/never-fetched': fetching('/hang'),
  '/late-timer': html(`<title>app</title><div id=root></div><script>
    setTimeout(() => { root.innerHTML = '<p>Rendered late. ${words}</p>' }, 700)</script>`),
  '/slow': (response) => void setTimeout(() => send(response, 'text/plain', words), 600),
  '/polls': html(
    `<p>${words}</p><script>setInterval(() => fetch('/hang?' + Math.random()), 50); new EventSource('/stream')</script>`,
  ),
  '/stream': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: 1\n\n');
  },
  '/hang': () => undefined,
  '/never-loads': html(`<p>${words}</p><img src=/hang>`),
  '/drips': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(html(`<title>drip</title><p>${words}</p>`));
  },
  '/loops': html(`<title>loop</title><p>${words}</p><script>while (true);</script>`),
  '/meta': html('<meta http-equiv=refresh content="0;url=/moved-by-script">'),
  '/moved-by-script': html('<script>location = "/listing"</script>'),
  '/redirect': (response) => void response.writeHead(302, { location: '/article' }).end(),
  '/circle': (response) => void response.writeHead(302, { location: '/circle' }).end(),
  '/missing': (response) => send(response, 'text/html', html('<h1>No such page</h1>'), 404),
  '/empty-500': (response) => void response.writeHead(500).end(),
  '/nothing': (response) => void response.writeHead(204).end(),
  '/file': (response) => send(response, 'application/zip', 'PK'),
  '/begun.pdf': (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write('%PDF-1.7\n');
  },
  '/endless.pdf': (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    Readable.from(endlessly(Buffer.alloc(1024 ** 2, '%'))).pipe(response);
  },
  '/said-too-large.pdf': (response) => {
    response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': 2 ** 31 });
    response.write('%PDF-1.7\n');
  },
  '/json': (response) => send(response, 'application/json', '{"otters":[1,2]}'),
  '/text': (response) => send(response, 'text/plain; charset=utf-8', 'Plain <b>text</b>\nof two lines'),
  '/xml': (response) => send(response, 'application/xml', '<rss><item>one</item></rss>'),
  '/picture': (response) =>
    send(
      response,
      'image/png',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ),
  '/shift-jis': (response) =>
    send(
      response,
      'text/html',
      Buffer.concat([
        Buffer.from('<meta charset=shift_jis><p>'),
        Buffer.from([0x93, 0xfa, 0x96, 0x7b]),
        Buffer.from('</p>'),
      ]),
    ),
  '/cyrillic': (response) =>
    send(
      response,
      'text/html; charset=windows-1251',
      Buffer.concat([Buffer.from('<p>'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2])]),
    ),
  '/latin': (response) =>
    send(
      response,
      'text/html',
      Buffer.from(
        '<meta http-equiv=content-type content="text/html; charset=iso-8859-1"><p>caf\xe9',
        'latin1',
      ),
    ),
  '/framed': html('<p>Outside.</p><iframe src=/frame></iframe><p>After.</p>'),
  '/frame': html('<p>Inside the first.</p><iframe src=/inner></iframe>'),
  '/inner': html('<p>Inside the second.</p>'),
  '/shadow':
    html(`<p>Light.</p><x-box><b slot=name>Slotted</b></x-box><script>customElements.define('x-box', class extends HTMLElement {
    constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<style>p{}</style><p>In the shadow: <slot name=name></slot>.</p>' } })</script>`),
  '/trusted-types': (response) => {
    response.setHeader('content-security-policy', "require-trusted-types-for 'script'; default-src 'none'");
    send(response, 'text/html', article);
  },
  '/tampered': html(`<title>tampered</title><p>Honest. ${words}</p><script>
    for (const p of [Node, Element, Document, Array, String, JSON]) { const o = p.prototype ?? p; for (const k of Object.getOwnPropertyNames(o)) { try { Object.defineProperty(o, k, { get() { throw 1 } }) } catch {} } }</script>`),
  '/deep': nested(1000),
  '/bottomless': nested(200_000),
  '/many': html(`<title>many</title><p>Top. ${words}</p><script>
    document.body.insertAdjacentHTML('beforeend', '<i>x</i>'.repeat(76000))</script>`),
  '/huge': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write('<!doctype html><title>huge</title>');
    const part = `<p>${'Much too much of it. '.repeat(50)}</p>`.repeat(1000);
    let left = 4;
    const next = (): void => {
      if (left-- <= 0) response.end();
      else response.write(part, next);
    };
    next();
  },
  '/alerts': html(`<title>alerts</title><script>alert('stop')</script><p>After the dialog. ${words}</p>`),
  '/plaintext':
    '<!doctype html><title>&lt;b&gt;bold&lt;/b&gt;</title><p>Before.</p><plaintext><script>alert(1)</script>',
};

export interface ScrapeSite extends AsyncDisposable {
  origin: string;
  asked: string[];
  /** From now on this is what is at that path. */
  serve(path: string, type: string, body: Buffer, headers?: Record<string, string>, status?: number): void;
}

export async function startScrapeSite(): Promise<ScrapeSite> {
  const asked: string[] = [];
  const served = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    asked.push(url.pathname);
    const answer = served.get(url.pathname) ?? answers[url.pathname];
    if (typeof answer === 'function') answer(response, url);
    else send(response, 'text/html; charset=utf-8', answer ?? 'nothing', answer ? 200 : 404);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    serve: (path, type, body, headers = {}, status = 200) =>
      void served.set(path, (response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        send(response, type, body, status);
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
