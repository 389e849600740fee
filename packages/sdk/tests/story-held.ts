import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { caught, type Stories } from './story-world.ts';

/** What a browser holds: files, downloads, pictures, permissions, recordings. */
export const heldStories: Stories = {
  'files go up in a stream, are used by pages, and come back whole or in part': async ({ browser }) => {
    const part = randomBytes(256 * 1024);
    const whole = Buffer.concat([part, part, part, part]);
    async function* parts() {
      for (let n = 0; n < 4; n++) yield part;
    }
    const file = await browser.files.upload(parts(), { name: 'naïve ✓.bin' });
    expect(file).toMatchObject({ name: 'naïve ✓.bin', size: whole.length, source: 'upload' });
    expect(file.sha256).toBe(createHash('sha256').update(whole).digest('hex'));
    const size: unknown = await browser.execute(
      async ({ page, files, args }) => {
        await page.setInputFiles('[name=file]', await files.path(args.fileId));
        return page.evaluate('document.querySelector("[name=file]").files[0].size');
      },
      { fileId: file.id },
    );
    expect(size).toBe(whole.length);
    const content = await browser.files.content(file.id);
    expect(content).toMatchObject({ name: 'naïve ✓.bin', size: whole.length, etag: `"${file.sha256}"` });
    expect(Buffer.from(await content.bytes()).equals(whole)).toBe(true);
    const range = await browser.files.content(file.id, { range: { start: 10, end: 19 } });
    expect(Buffer.from(await range.bytes())).toEqual(whole.subarray(10, 20));
    expect(await browser.files.get(file.id)).toEqual(file);
    expect(await browser.files.list().all()).toContainEqual(file);
    const { url } = await browser.files.address(file.id, { ttlSeconds: 60 });
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(whole.length);
    await browser.files.delete(file.id);
    expect(await caught(browser.files.get(file.id))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  },

  'a download is waited for and read': async ({ browser }) => {
    await browser.execute(async ({ page }) => {
      const started = page.waitForEvent('download');
      await page.getByText('Report').click();
      await started;
    });
    const [newest] = await browser.downloads.list().all(1);
    const done = await browser.downloads.finished(newest?.id ?? '');
    expect(done).toMatchObject({ state: 'completed', suggestedFilename: 'report.csv' });
    const content = await browser.downloads.content(done.id);
    expect([content.name, content.mimeType, await content.text()]).toEqual(['report.csv', 'text/csv', 'a,b']);
    const { url } = await browser.downloads.address(done.id);
    expect(await (await fetch(url)).text()).toBe('a,b');
    await browser.downloads.delete(done.id);
    expect(await browser.downloads.list().all()).toEqual([]);
  },

  'pictures, papers and text of its tab, as bytes or kept as files': async ({ browser }) => {
    const shot = await browser.screenshot({ format: 'jpeg', quality: 30 });
    expect((await shot.bytes()).subarray(0, 3)).toEqual(new Uint8Array([0xff, 0xd8, 0xff]));
    expect(await browser.screenshot({ store: true })).toMatchObject({ source: 'screenshot' });
    const { pictures } = await browser.screenshot({ selectors: ['body'], media: 'print' });
    expect(pictures).toMatchObject([{ selector: 'body', content: expect.stringMatching(/^iVBOR/) }]);
    expect((await (await browser.pdf()).text()).slice(0, 5)).toBe('%PDF-');
    expect(await browser.pdf({ store: true })).toMatchObject({ source: 'pdf' });
    expect(await browser.scrape({ format: 'text', mainContent: false })).toMatchObject({
      title: 'Hello Ada',
    });
  },

  'permissions are set and cleared': async ({ browser }) => {
    expect(await browser.permissions.set({ permissions: { geolocation: 'granted' } })).toEqual(
      await browser.permissions.get(),
    );
    expect(JSON.stringify(await browser.permissions.get())).toContain('geolocation');
    expect(JSON.stringify(await browser.permissions.clear())).not.toContain('geolocation');
  },

  'captchas: there are none here, and nothing to solve': async ({ browser }) => {
    expect(await browser.captcha.get()).toEqual({ state: 'none', items: [] });
    expect(await browser.captcha.resolve({ timeoutMs: 5000 })).toMatchObject({ state: 'none' });
  },

  'a recording is stopped, waited for and read': async ({ client }) => {
    await using small = await client.browsers.create({ viewport: { width: 320, height: 240 } });
    const { recordings } = small;
    const { id } = await recordings.start();
    expect(await recordings.get(id)).toMatchObject({ state: 'recording' });
    await recordings.stop(id);
    expect(await recordings.finished(id)).toMatchObject({ state: 'ready' });
    const video = await recordings.content(id, { range: { start: 0, end: 3 } });
    expect(await video.bytes()).toEqual(new Uint8Array([0x1a, 0x45, 0xdf, 0xa3]));
    expect((await recordings.list().all()).map((each) => each.id)).toEqual([id]);
    const { url } = await recordings.address(id);
    expect((await fetch(url, { headers: { range: 'bytes=0-3' } })).status).toBe(206);
    await recordings.delete(id);
  },
};
