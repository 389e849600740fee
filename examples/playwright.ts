// Your own Playwright on a managed browser: npm install playwright-core
//
//   npm run example -- playwright [address]
import { Browserd } from '@browserd/sdk';
import { chromium } from 'playwright-core';
import { onlyThis } from './target.ts';

const target = process.argv[2] ?? 'https://example.com';

const client = new Browserd();
await using managed = await client.browsers.create({ policy: onlyThis(target) });

const browser = await chromium.connectOverCDP(await managed.playwright());
const [context = await browser.newContext()] = browser.contexts();
const page = await context.newPage();
await page.goto(target);
console.log(await page.title());

// Ends the connection; the browser itself lives until it is closed or expires.
await browser.close();
