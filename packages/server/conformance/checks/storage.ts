/** What pages and clients keep: cookies, local storage, databases, caches. */
import type { Cookie } from 'playwright-core';
import type { Checks } from '../check.ts';

const inDatabase = (work: string): string => `(async () => {
  const db = await new Promise((resolve, reject) => { const open = indexedDB.open('kept', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('things'); open.onsuccess = () => resolve(open.result); open.onerror = () => reject(open.error) });
  const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result ?? null) });
  const store = db.transaction('things', 'readwrite').objectStore('things');
  const result = await ${work}; db.close(); return result })()`;

/** Chromium shortens what lasts too long, from the moment it is set. */
const withoutTimes = (cookies: Cookie[]): object[] =>
  cookies
    .map((cookie) => ({ ...cookie, expires: cookie.expires > 0 ? 'some day' : cookie.expires }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

export const storage: Checks = {
  'cookies that a client sets': async ({ context, page, site }) => {
    await context.addCookies([
      { name: 'a', value: '1', url: site.origin },
      {
        name: 'b',
        value: '2',
        domain: '127.0.0.1',
        path: '/plain',
        httpOnly: true,
        sameSite: 'Strict',
        expires: 4_000_000_000,
      },
    ]);
    const response = await page.goto(`${site.origin}/plain`);
    const sent = (await response?.request().allHeaders())?.cookie;
    return [
      sent,
      await page.evaluate('document.cookie'),
      withoutTimes(await context.cookies(`${site.origin}/plain`)),
    ];
  },
  'cookies that a site sets': async ({ context, page, site }) => {
    const response = await page.goto(`${site.origin}/cookies`);
    const told = await response?.headerValues('set-cookie');
    return [told, await page.evaluate('document.cookie'), withoutTimes(await context.cookies())];
  },
  'cookies that a page sets': async ({ context, page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate("document.cookie = 'own=yes; path=/'");
    return withoutTimes(await context.cookies(site.origin));
  },
  'cookies that are cleared, all or some': async ({ context, site }) => {
    await context.addCookies(['a', 'b', 'c'].map((name) => ({ name, value: name, url: site.origin })));
    await context.clearCookies({ name: 'b' });
    const some = (await context.cookies()).map(({ name }) => name).sort();
    await context.clearCookies();
    return [some, await context.cookies()];
  },
  'cookies of a frame of another site': async ({ context, page, site }) => {
    await context.addCookies([{ name: 'foreign', value: '1', url: site.otherOrigin }]);
    await page.goto(`${site.origin}/plain`);
    const [response] = await Promise.all([
      page.waitForResponse(`${site.otherOrigin}/echo`),
      page.evaluate(
        `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.otherOrigin}/echo' }))`,
      ),
    ]);
    return ((await response.json()) as { headers: { cookie?: string } }).headers.cookie ?? null;
  },
  'the state of a context': async ({ context, page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate("localStorage.setItem('kept', 'yes'); document.cookie = 'own=yes; path=/'");
    const { cookies, origins } = await context.storageState();
    return [cookies, origins];
  },
  'the state of a context with its databases': async ({ context, page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(inDatabase("done(store.put('thing', 'key'))"));
    return (await context.storageState({ indexedDB: true })).origins;
  },
  'a state that a context begins with': async ({ browser, site }) => {
    const context = await browser.newContext({
      storageState: {
        cookies: [],
        origins: [{ origin: site.origin, localStorage: [{ name: 'begun', value: 'with' }] }],
      },
    });
    const page = await context.newPage();
    await page.goto(`${site.origin}/plain`);
    const kept = await page.evaluate("localStorage.getItem('begun')");
    await context.close();
    return kept;
  },
  'local and session storage': async ({ context, page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate("localStorage.setItem('a', '1'); sessionStorage.setItem('b', '2')");
    await page.reload();
    const second = await context.newPage();
    await second.goto(`${site.origin}/other`);
    const read = "[localStorage.getItem('a'), sessionStorage.getItem('b')]";
    return [await page.evaluate(read), await second.evaluate(read)];
  },
  'pages tell each other of a change': async ({ context, page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const second = await context.newPage();
    await second.goto(`${site.origin}/other`);
    await page.evaluate(
      "window.told = new Promise((resolve) => { onstorage = ({ key, newValue }) => resolve([key, newValue]) }); window.called = new Promise((resolve) => { new BroadcastChannel('all').onmessage = ({ data }) => resolve(data) }); 0",
    );
    await second.evaluate(
      "localStorage.setItem('changed', 'now'); new BroadcastChannel('all').postMessage('to all')",
    );
    return page.evaluate('Promise.all([told, called])');
  },
  'a database': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(inDatabase("done(store.put({ a: [1, 2] }, 'key'))"));
    await page.reload();
    return page.evaluate(inDatabase("done(store.get('key'))"));
  },
  'a database by a client': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate(inDatabase("done(store.put('thing', 'key'))"));
    const cdp = await session();
    const { databaseNames } = await cdp.send('IndexedDB.requestDatabaseNames', {
      securityOrigin: site.origin,
    });
    return databaseNames;
  },
  'a cache of a page’s own': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "caches.open('mine').then(async (cache) => { await cache.put('/kept', new Response('in the cache')); return [await (await cache.match('/kept')).text(), await caches.keys()] })",
    );
  },
  'files of a page’s own': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "navigator.storage.getDirectory().then(async (root) => { const handle = await root.getFileHandle('own.txt', { create: true }); const writer = await handle.createWritable(); await writer.write('written'); await writer.close(); return (await handle.getFile()).text() })",
    );
  },
  'storage that a client clears': async ({ page, site, session }) => {
    await page.goto(`${site.origin}/plain`);
    await page.evaluate("localStorage.setItem('kept', 'yes')");
    const cdp = await session();
    await cdp.send('Storage.clearDataForOrigin', { origin: site.origin, storageTypes: 'all' });
    await page.reload();
    return page.evaluate("localStorage.getItem('kept')");
  },
};
