import { Browserd, type BrowserdError, type KnownBrowser } from '@browserd/sdk';
import { expect } from 'vitest';
import { startServer, type TestServer } from '../../server/tests/support/server.ts';
import { type Site, startSite } from '../../server/tests/support/site.ts';
import { Covered } from './covered.ts';

/** Where the stories take place: a real service, a site, a client whose calls are counted, and one browser for all. */
export interface World extends AsyncDisposable {
  server: TestServer;
  site: Site;
  client: Browserd;
  browser: KnownBrowser;
  covered: Covered;
}

/** By what they tell. */
export type Stories = Record<string, (world: World) => Promise<void>>;

const form = `<!doctype html><title>Form</title>
  <label>Name <input name="name"></label> <label>File <input type="file" name="file"></label>
  <button onclick="document.title = 'Hello ' + document.querySelector('[name=name]').value">Send</button>
  <a href="data:text/csv,a,b" download="report.csv">Report</a>`;

const shop = '<!doctype html><title>Shop</title><h1>Shop</h1><a href="/form">Order</a>';

export async function openWorld(): Promise<World> {
  const covered = new Covered();
  const site = await startSite({ '/form': form, '/shop': shop });
  const server = await startServer({
    BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost',
    BROWSERD_CAPTCHA_SOLVERS: 'wait',
  });
  const client = new Browserd({ baseUrl: server.api.url, apiKey: server.api.key, fetch: covered.fetch });
  const policy = { privateAccess: { localhost: true } };
  const browser = await client.browsers.create({
    policy,
    dialogs: 'manual',
    startUrl: `${site.origin}/form`,
  });
  return {
    server,
    site,
    client,
    browser,
    covered,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
      await site.close();
    },
  };
}

export const caught = (work: Promise<unknown>): Promise<BrowserdError> =>
  work.then(
    () => expect.fail('nothing was thrown'),
    (error) => error,
  );

export async function firstOf<Item>(
  items: AsyncIterable<Item>,
  fits: (item: Item) => boolean,
): Promise<Item> {
  for await (const item of items) if (fits(item)) return item;
  throw new Error('it never came');
}
