import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../../server/src/chromium/start/find.ts';

/** A web page of the service's own origin that has the SDK as its modules; all other requests reach the real service. */
export async function openWebPage(origin: string): Promise<Page & AsyncDisposable> {
  const found = await findChromium({ chromiumPath: null, env: process.env, forAnotherUser: false });
  const web = await chromium.launch({ executablePath: (found.shell ?? found.full)?.path });
  const page = await web.newPage();
  await page.route(`${origin}/sdk/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/sdk/', '');
    const source = path === '' ? '' : await readFile(join(import.meta.dirname, '../src', path), 'utf8');
    if (path === '') await route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    else await route.fulfill({ contentType: 'text/javascript', body: stripTypeScriptTypes(source) });
  });
  await page.goto(`${origin}/sdk/`);
  return Object.assign(page, { [Symbol.asyncDispose]: () => web.close() });
}
