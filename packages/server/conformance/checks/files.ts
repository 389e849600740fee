/** Files from pages and to pages. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checks, failureOf, type World } from '../check.ts';

async function download({ page, site }: World, link: string) {
  await page.goto(`${site.origin}/links`);
  const [begun] = await Promise.all([page.waitForEvent('download'), page.click(link)]);
  return begun;
}

async function sample({ folder }: World, name: string, content = `content of ${name}`): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const told = ({ page }: World): Promise<string> =>
  page
    .waitForFunction("document.querySelector('output').textContent")
    .then((handle) => handle.jsonValue() as Promise<string>);

export const files: Checks = {
  'a download and its name': async (world) => {
    const begun = await download(world, '#download');
    return [begun.url(), begun.suggestedFilename(), await begun.failure(), begun.page() === world.page];
  },
  'a download that the page names': async (world) => {
    const begun = await download(world, '#named');
    return [begun.suggestedFilename(), await begun.failure()];
  },
  'a download that the page makes': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const [begun] = await Promise.all([
      world.page.waitForEvent('download'),
      world.page.evaluate(
        "Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['made'])), download: 'made.txt' }).click()",
      ),
    ]);
    return [begun.suggestedFilename(), await begun.failure()];
  },
  'a download in the place of a page': async ({ page, site }) => {
    const [begun, failure] = await Promise.all([
      page.waitForEvent('download'),
      failureOf(page.goto(`${site.origin}/report.csv`)),
    ]);
    return [begun.suggestedFilename(), failure, page.url()];
  },
  'a download of a popup': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const [begun] = await Promise.all([
      page.waitForEvent('download'),
      page.evaluate("void open('/report.csv')"),
    ]);
    return [begun.suggestedFilename(), await begun.failure()];
  },
  'a download that a client ends': async (world) => {
    const begun = await download(world, '#endless');
    await begun.cancel();
    return begun.failure();
  },
  'the bytes of a download by its path': async (world) => {
    const begun = await download(world, '#download');
    return readFile(await begun.path(), 'utf8');
  },
  'a download that a client saves': async (world) => {
    const path = join(world.folder, 'saved.csv');
    await (await download(world, '#download')).saveAs(path);
    return readFile(path, 'utf8');
  },
  'a download that a client reads as a stream': async (world) => {
    const stream = await (await download(world, '#download')).createReadStream();
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    return text;
  },
  'a download that a client deletes': async (world) => (await download(world, '#download')).delete(),
  'a file by its path': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    await world.page.setInputFiles('#file', await sample(world, 'one.txt'));
    return told(world);
  },
  'several files': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    const paths = [await sample(world, 'one.txt'), await sample(world, 'two.json', '{}')];
    await world.page.setInputFiles('#files', paths);
    return told(world);
  },
  'several files for an input that takes one': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    const paths = [await sample(world, 'one.txt'), await sample(world, 'two.txt')];
    return failureOf(world.page.setInputFiles('#file', paths));
  },
  'bytes as a file': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    await world.page.setInputFiles('#file', {
      name: 'b.bin',
      mimeType: 'application/x-own',
      buffer: Buffer.alloc(3_000_000),
    });
    return told(world);
  },
  'files that are taken back': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    await world.page.setInputFiles('#file', await sample(world, 'one.txt'));
    await told(world);
    await world.page.setInputFiles('#file', []);
    return world.page.evaluate("document.querySelector('#file').files.length");
  },
  'a chooser of files': async (world) => {
    await world.page.goto(`${world.site.origin}/form`);
    const [one] = await Promise.all([world.page.waitForEvent('filechooser'), world.page.click('#file')]);
    const [many] = await Promise.all([world.page.waitForEvent('filechooser'), world.page.click('#files')]);
    await many.setFiles([await sample(world, 'one.txt'), await sample(world, 'two.txt')]);
    return [one.isMultiple(), many.isMultiple(), await told(world)];
  },
  'a file by its path on a machine that client and browser share': async (world) => {
    const path = await sample(world, 'shared.txt');
    const local = await world.connect({ isLocal: true });
    const page = await local.contexts()[0]?.newPage();
    await page?.goto(`${world.site.origin}/form`);
    try {
      await page?.setInputFiles('#file', path, { timeout: 5000 });
      return page ? await told({ ...world, page }) : null;
    } finally {
      await page?.close();
    }
  },
};
