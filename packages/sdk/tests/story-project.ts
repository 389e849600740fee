import { type api, Browserd, verifyWebhook } from '@browserd/sdk';
import { expect } from 'vitest';
import { extensionZip } from '../../server/tests/support/extensions.ts';
import { fontOf } from '../../server/tests/support/font.ts';
import { startReceiver } from '../../server/tests/support/receiver.ts';
import { lineTo } from './cut-line.ts';
import { caught, firstOf, type Stories } from './story-world.ts';

/** What stands above the browsers: events, webhooks, keys, quick actions, health. */
export const projectStories: Stories = {
  'events are followed over a line that breaks, without a gap and without a repetition': async ({
    client,
    browser,
    server,
    covered,
  }) => {
    await using line = await lineTo(server.api.url);
    const far = new Browserd({ baseUrl: line.url, apiKey: server.api.key, fetch: covered.fetch });
    const [newest] = await client.events.list({ limit: 1 }).all(1);
    const events = far.events.follow({ type: ['script.completed'], lastEventId: newest?.seq ?? 0 });
    const seen: number[] = [];
    for (let round = 0; round < 3; round++) {
      await browser.execute('return 1');
      const { value } = await events.next();
      seen.push((value as api.Event).seq);
      line.cut();
    }
    await events.return();
    expect(line.connections()).toBeGreaterThan(1);
    const { items } = await client.events
      .list({ type: ['script.completed'], order: 'asc', lastEventId: String(newest?.seq ?? 0) })
      .page();
    expect(seen).toEqual(items.map(({ seq }) => seq));
    expect(await firstOf(browser.events.list(), ({ type }) => type === 'browser.ready')).toMatchObject({
      browserId: browser.id,
    });
  },

  'a webhook is told, and what it gets is verified': async ({ client, browser }) => {
    await using receiver = await startReceiver();
    const { id, secret } = await client.webhooks.create({ url: receiver.url, events: ['script.completed'] });
    await browser.execute('return 1');
    const { headers, body } = await receiver.until(({ body: sent }) => sent.type === 'script.completed');
    const message = await verifyWebhook({ body: JSON.stringify(body), headers, secret });
    expect(message).toMatchObject({ type: 'script.completed', data: { browserId: browser.id } });
    const [delivery] = await client.webhooks.deliveries(id).all();
    await client.webhooks.redeliver(id, delivery?.id ?? '');
    await client.webhooks.test(id);
    const test = await receiver.until(({ body: sent }) => sent.type === 'webhook.test');
    expect(await verifyWebhook({ ...test, body: JSON.stringify(test.body), secret })).toMatchObject({
      type: 'webhook.test',
      data: { webhookId: id },
    });
    expect(await client.webhooks.update(id, { description: 'mine' })).toEqual(await client.webhooks.get(id));
    expect((await client.webhooks.list().all()).map((each) => each.id)).toEqual([id]);
    await client.webhooks.delete(id);
  },

  'a key is made, works, and is revoked': async ({ client, browser }) => {
    const { id, key } = await client.keys.create({ name: 'short', role: 'member' });
    const member = new Browserd({ baseUrl: client.baseUrl, apiKey: key });
    expect((await member.browser(browser.id).refresh()).id).toBe(browser.id);
    expect(await caught(member.keys.list().page())).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    expect((await client.keys.list().all()).map((each) => each.id)).toContain(id);
    await client.keys.revoke(id);
    expect(await caught(member.browsers.list().page())).toMatchObject({ nextStep: 'authenticate' });
  },

  'a secret is put in, typed by the service, and read by nothing': async ({ client, browser, site }) => {
    const value = 'open sesame, please';
    const { id } = await client.secrets.create({ name: 'shop/password', value, origins: [site.origin] });
    await browser.execute(({ page, args }) => page.goto(args), `${site.origin}/form`);
    const selector = '[name=name]';
    const filled = await browser.fillSecret({ secret: 'shop/password', selector });
    expect(filled).toEqual({ filled: true, secret: 'shop/password', origin: site.origin });
    const read = await browser.execute(async ({ page, secrets, args }) => {
      await secrets.fill(page.locator(args), 'shop/password');
      return page.inputValue(args);
    }, selector);
    expect(read).toBe('•••');
    expect(await caught(browser.fillSecret({ secret: 'none', selector }))).toMatchObject({
      code: 'SECRET_NOT_FOUND',
    });
    const changed = await client.secrets.update(id, { origins: ['https://shop.example'] });
    expect(await client.secrets.get(id)).toEqual(changed);
    expect((await client.secrets.list().all()).map(({ name }) => name)).toEqual(['shop/password']);
    expect(await caught(browser.fillSecret({ secret: 'shop/password', selector }))).toMatchObject({
      code: 'SECRET_ORIGIN_MISMATCH',
    });
    expect(await client.secrets.delete(id)).toEqual({ id, deleted: true });
  },

  'an extension is uploaded, shown, refused with its reason, and deleted': async ({ client }) => {
    const made = await client.extensions.upload(extensionZip({ manifest: { permissions: ['storage'] } }));
    expect(made).toMatchObject({ name: 'Test', version: '1.0', permissions: ['storage'] });
    expect(await client.extensions.get(made.id)).toEqual(made);
    expect((await client.extensions.list().all()).map(({ id }) => id)).toEqual([made.id]);
    const hungry = extensionZip({ manifest: { permissions: ['debugger'] } });
    expect(await caught(client.extensions.upload(hungry))).toMatchObject({ code: 'EXTENSION_INVALID' });
    expect(await client.extensions.delete(made.id)).toEqual({ id: made.id, deleted: true });
  },

  'a font is uploaded once, shown, refused with its reason, and deleted': async ({ client }) => {
    const bytes = fontOf({ family: 'Story Sans', width: 1, style: 'Bold' });
    const made = await client.fonts.upload(bytes);
    expect(made).toMatchObject({ format: 'ttf', faces: [{ family: 'Story Sans', style: 'Bold' }] });
    expect(await client.fonts.upload(bytes)).toEqual(made);
    expect(await client.fonts.get(made.id)).toEqual(made);
    expect((await client.fonts.list().all()).map(({ id }) => id)).toEqual([made.id]);
    expect(await caught(client.fonts.upload('none'))).toMatchObject({ code: 'FONT_INVALID' });
    expect(await client.fonts.delete(made.id)).toEqual({ id: made.id, deleted: true });
  },

  'a picture is compared with one that was stored': async ({ client, browser }) => {
    const html = '<body style="background: #00f">';
    const { files } = await client.screenshot({ html, store: true, optimize: true });
    const baseline = files[0]?.id ?? '';
    const same = await client.screenshot({ html, baseline });
    expect(same).toMatchObject({ matches: true, difference: 0, baseline: { fileId: baseline } });
    const other = await client.screenshot({ html: '<body>', baseline, threshold: 0.5, store: true });
    expect([other.matches, other.difference]).toEqual([false, 1]);
    expect(other.files?.map(({ name }) => name)).toEqual(['screenshot.png', 'difference.png']);
    const onTab = await browser.screenshot({ baseline, threshold: 1 });
    expect(onTab.picture.mimeType).toBe('image/png');
  },

  'a file of the project is uploaded, passed on, used beside a page, and deleted': async ({ client }) => {
    const css = 'h1 { color: rgb(1, 2, 3) }';
    const file = await client.files.upload(css, { name: 'style.css', mimeType: 'text/css', ttlSeconds: 600 });
    expect(file).toMatchObject({ name: 'style.css', mimeType: 'text/css', source: 'upload' });
    expect(await client.files.get(file.id)).toEqual(file);
    const uploads = await client.files.list({ source: 'upload' }).all();
    expect(uploads.map(({ id }) => id)).toContain(file.id);
    const compared = await client.files.list({ source: 'comparison' }).all();
    expect(compared.map(({ id }) => id)).not.toContain(file.id);
    const part = await client.files.content(file.id, { range: { start: 0, end: 1 } });
    expect(await part.text()).toBe('h1');
    const { url } = await client.files.address(file.id, { ttlSeconds: 60 });
    expect(await (await fetch(url)).text()).toBe(css);
    const html = `<link rel=stylesheet href=style.css><h1>Hello</h1><script>
      onload = () => { document.title = getComputedStyle(document.querySelector('h1')).color };</script>`;
    const assets = [{ name: 'style.css', fileId: file.id }];
    expect((await client.scrape({ html, assets, mainContent: false })).title).toBe('rgb(1, 2, 3)');
    expect(await client.files.delete(file.id)).toEqual({ id: file.id, deleted: true });
    expect(await caught(client.files.get(file.id))).toMatchObject({ code: 'FILE_NOT_FOUND' });
  },

  'what a quick action made is stored once': async ({ client }) => {
    const html = '<title>Stored</title><h1>Hello</h1>';
    const options = { idempotencyKey: 'story-of-a-stored-pdf' };
    const first = await client.pdf({ html, store: { name: 'hello.pdf' } }, options);
    const again = await client.pdf({ html, store: { name: 'hello.pdf' } }, options);
    const [file] = first.files;
    expect(again.files[0]?.id).toBe(file?.id);
    expect(file).toMatchObject({ name: 'hello.pdf', mimeType: 'application/pdf' });
    const shown = await fetch(file?.address.url ?? '');
    expect(shown.headers.get('content-length')).toBe(String(file?.size));
    const { files } = await client.screenshot({ html, selectors: ['h1', 'body'], store: true });
    expect(files.map(({ selector }) => selector)).toEqual(['h1', 'body']);
    const scraped = await client.scrape({ html, mainContent: false, store: true });
    expect(scraped.files).toMatchObject([{ name: 'page.md', source: 'scrape' }]);
  },

  'one request, one page': async ({ client }) => {
    const html = '<title>Quick</title><h1>Hello</h1>';
    expect(await client.scrape({ html, mainContent: false }, { waitSeconds: 5 })).toMatchObject({
      title: 'Quick',
    });
    expect((await client.screenshot({ html })).mimeType).toBe('image/png');
    const { pictures } = await client.screenshot({ html, selectors: ['body'] });
    expect(pictures).toMatchObject([{ selector: 'body', mimeType: 'image/png' }]);
    const both = await client.screenshot({ html, include: ['har'] });
    expect(both).toMatchObject({ mimeType: 'image/png', har: { log: { version: '1.2' } } });
    expect(Buffer.from(both.content, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect((await (await client.pdf({ html })).bytes()).length).toBeGreaterThan(500);
    expect(await caught(client.scrape({ html, selector: '#none' }))).toMatchObject({
      code: 'SELECTOR_NOT_FOUND',
    });
  },

  'a service that works alone is one node, and keeps its only one': async ({ client }) => {
    const [node, ...others] = await client.nodes.list().all();
    expect(others).toEqual([]);
    expect(node).toMatchObject({ state: 'up', answering: true, browsers: { limit: expect.any(Number) } });
    expect(await client.nodes.get(node?.id ?? '')).toMatchObject({
      id: node?.id,
      startedAt: node?.startedAt,
    });
    expect(await caught(client.nodes.drain(node?.id ?? ''))).toMatchObject({
      code: 'LAST_NODE',
      status: 409,
    });
  },

  'health and measures': async ({ client }) => {
    expect(await client.health()).toMatchObject({ status: 'ok' });
    expect(await client.ready()).toMatchObject({ checks: { store: { ok: true } } });
    expect(await client.metrics()).toContain('# TYPE');
  },
};
