// Clicks a link, waits for the download and saves it. The bytes are streamed; the file may be of any size.
//
//   npm run example -- download [address] [text of the link] [folder]
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { Writable } from 'node:stream';
import { Browserd } from '@browserd/sdk';

const [target = 'https://nodejs.org/dist/latest/', link = 'headers.tar.gz', folder = '.'] =
  process.argv.slice(2);

// Not limited to one site, unlike the other examples: downloads often come from elsewhere.
const local = /^https?:\/\/(localhost|127\.)/.test(target);
const client = new Browserd();
await using browser = await client.browsers.create({
  startUrl: target,
  policy: { privateAccess: local && { localhost: true } },
});

await browser.execute(
  async ({ page, args }) => {
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: args.link }).first().click();
    await started;
  },
  { link },
);

const [newest] = await browser.downloads.list().all(1);
if (!newest) throw new Error('Nothing was downloaded.');
const done = await browser.downloads.finished(newest.id);
if (done.state !== 'completed') throw new Error(`The download ${done.state}: ${done.message}`);

const content = await browser.downloads.content(done.id);
// The site chooses the name: only its last part is used, so that it cannot lead out of the folder.
const path = join(folder, basename(content.name ?? 'download'));
await content.stream.pipeTo(Writable.toWeb(createWriteStream(path)));
console.log(`${path}: ${done.size} bytes, sha256 ${done.sha256}`);
