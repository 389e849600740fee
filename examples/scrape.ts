// Many pages as Markdown files, a few at a time. Each is read in a browser that exists for one request.
//
//   npm run example -- scrape [folder] [address …]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Browserd, BrowserdError } from '@browserd/sdk';
import { onlyThis } from './target.ts';

const [folder = 'scraped', ...given] = process.argv.slice(2);
const addresses = given.length > 0 ? given : ['https://example.com', 'https://example.org'];
const atOnce = 4;

const client = new Browserd();
await mkdir(folder, { recursive: true });

async function scrape(url: string): Promise<void> {
  try {
    // waitSeconds: when the service is full, the request waits in its queue instead of being refused
    const page = await client.scrape({ url, policy: onlyThis(url) }, { waitSeconds: 60 });
    const name = `${url.replaceAll(/\W+/g, '-')}.md`;
    await writeFile(join(folder, name), `# ${page.title}\n\n${page.content}\n`);
    console.log(`${url}: ${page.chars} characters in ${name}`);
  } catch (error) {
    if (!(error instanceof BrowserdError)) throw error;
    process.exitCode = 1;
    console.error(`${url}: ${error.code}: ${error.message}`);
  }
}

// The workers share one list; each takes the next address when it is done.
const queue = addresses.values();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const url of queue) await scrape(url);
  }),
);
