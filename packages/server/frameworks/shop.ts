/** The site that the frameworks are sent to: a form, a dialog, a pop-up, a download, an upload and a frame. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const pages: Record<string, string> = {
  '/': `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>
<label>Name <input name="name"></label>
<button onclick="document.title = 'Hello ' + document.querySelector('[name=name]').value">Greet</button>
<p>Price: 42 euros</p>
<button onclick="document.title = confirm('Sure?') ? 'Yes' : 'No'">Ask</button>
<a href="/more" target="_blank">More</a> <a href="/prices.csv" download>Prices</a>
<label>Picture <input type="file" onchange="document.title = this.files[0].name"></label>
<iframe src="/frame" title="Offers"></iframe>`,
  '/more': '<!doctype html><title>More</title><h1>More</h1>',
  '/frame':
    '<!doctype html><title>Frame</title><button onclick="this.textContent = \'Taken\'">Offer</button>',
};

export interface Shop extends AsyncDisposable {
  origin: string;
}

export async function startShop(): Promise<Shop> {
  const server = createServer(({ url = '/' }, response) => {
    const page = pages[url];
    if (url === '/prices.csv') response.setHeader('content-type', 'text/csv').end('name,price\nbook,42\n');
    else response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page ?? 'Not here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
