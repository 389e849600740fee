import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pages with everything that a DevTools client is usually pointed at. */
export interface CdpSite extends AsyncDisposable {
  origin: string;
}

const html = (title: string, body: string): [string, string] => [
  'text/html',
  `<!doctype html><title>${title}</title>${body}`,
];

const pages: Record<string, [type: string, body: string]> = {
  '/': html(
    'home',
    `<h1>Home</h1><a href="/form">form</a> <a id="popup" href="/other" target="_blank">popup</a>
     <a id="download" href="/report.csv" download>download</a> <a id="endless" href="/endless.bin" download>endless</a>`,
  ),
  '/form': html(
    'form',
    `<form action="/sent"><input name="who" aria-label="Who"><select name="size"><option>S<option>L</select>
     <input type="checkbox" name="news"><button>Send</button></form>
     <input type="file" id="file"><output></output><script>
     document.querySelector('#file').onchange = async ({ target }) => {
       document.querySelector('output').textContent = target.files[0].name + ': ' + await target.files[0].text(); };
     </script>`,
  ),
  '/sent': html('sent', '<p id="query"></p><script>query.textContent = location.search</script>'),
  '/other': html('other', '<p>other</p>'),
  '/frames': html('frames', '<iframe name="inner" src="/form"></iframe>'),
  '/late': html(
    'late',
    '<script>setTimeout(() => document.body.append(Object.assign(document.createElement("p"), { id: "late", textContent: "here" })), 100)</script>',
  ),
  '/worker': html(
    'worker',
    '<script>new Worker("/worker.js").onmessage = ({ data }) => { document.title = data }</script>',
  ),
  '/worker.js': [
    'text/javascript',
    'self.answer = 42; setTimeout(() => postMessage("worker says hello"), 50)',
  ],
  '/styled': html(
    'styled',
    '<style>p { color: red } .unused { color: blue }</style><p>styled</p><script src="/script.js"></script>',
  ),
  '/script.js': ['text/javascript', 'function used() { return 1 }\nfunction unused() { return 2 }\nused();'],
  '/data.json': ['application/json', '{"from":"site"}'],
  '/ask': html('ask', '<script>document.title = "answer: " + confirm("sure?")</script>'),
  '/report.csv': ['text/csv', 'a,b\n1,2\n'],
};

export async function startCdpSite(): Promise<CdpSite> {
  const server = createServer((request, response) => {
    if (request.url === '/endless.bin') {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '100000' });
      response.write(Buffer.alloc(2000));
      return;
    }
    const [type, body] = pages[(request.url ?? '').split('?')[0] ?? ''] ?? ['text/plain', 'nothing here'];
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
