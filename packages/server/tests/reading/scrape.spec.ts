import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/client.ts';
import { article } from '../support/scrape-pages.ts';
import { type ScrapeSite, startScrapeSite } from '../support/scrape-site.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ScrapeSite;
let id: string;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startScrapeSite();
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const call = (body: object, browser = id): Promise<Answer> =>
  server.api.call('POST', `/v1/browsers/${browser}/scrape`, { body });

const scraped = async (path: string, more: object = {}) => {
  const { status, body } = await call({ url: site.origin + path, ...more });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body;
};

const refused = async (path: string, more: object = {}) =>
  (await call({ url: site.origin + path, ...more })).body.error;

describe('an article', () => {
  test('is Markdown without what stands around it', async () => {
    const { content, title, description, statusCode, finalUrl } = await scraped('/article');
    expect({ title, description, statusCode, finalUrl }).toEqual({
      title: 'Otters return to the river – The Valley Post',
      description: 'After forty years otters are back.',
      statusCode: 200,
      finalUrl: `${site.origin}/article`,
    });
    for (const n of [1, 2, 3, 4, 5]) expect(content).toContain(`Paragraph ${n} tells`);
    for (const noise of [
      'privacy',
      'Accept',
      'Weather',
      'Most read',
      'Bakery',
      'Copyright',
      'Beavers',
      'Related',
      'First!',
      'Share',
      'never to be seen',
      'tracked',
    ])
      expect(content).not.toContain(noise);
    expect(content).toContain(`[A note](${site.origin}/notes.html#one)`);
    expect(content).toContain('## Where they live\n');
    expect(content).toContain(`![An otter \\[asleep\\]](${site.origin}/otter%20%281%29.jpg)`);
    expect(content).toContain('- Fish\n  - Trout\n  - Eel\n- Frogs');
    expect(content).toContain('3. third\n4. fourth');
    expect(content).toContain(
      '```js\nconst otter = { wet: true };\nif (otter.wet || cold) {\n  swim();\n}\n```',
    );
    expect(content).toContain('Counts\n\n| Year | Otters |\n| --- | --- |\n| 2024 | 2 |\n| 2025 | a\\|b |');
    expect(content).toContain('**Holt**\n\nThe den of an otter.');
    expect(content).toContain('> They were here first.');
    expect(content).toContain('cold\\_as\\_ice \\*always\\*');
  });

  test('is text, HTML or sections', async () => {
    const { content: text } = await scraped('/article', { format: 'text' });
    expect(text).toContain('- Fish\n  - Trout\n  - Eel\n- Frogs');
    expect(text).toContain('2024 | 2\n2025 | a|b');
    const { content: html } = await scraped('/article', { format: 'html' });
    expect(html).toContain('<h2>Where they live</h2>');
    expect(html).not.toMatch(/class="(?!language-)|<script|onclick|style=/);
    const { content: json } = await scraped('/article', { format: 'json' });
    expect(json).toMatchObject({ author: 'Ada Field', publishedAt: '2026-03-04T10:00:00Z', language: 'en' });
    expect(json.sections.map(({ heading }: { heading: string }) => heading)).toContain('Where they live');
  });

  test('comes with all around it when the whole page is wanted', async () => {
    const { content } = await scraped('/article', { mainContent: false });
    for (const part of ['Weather', 'Bakery', 'Copyright', 'Paragraph 5']) expect(content).toContain(part);
    expect(content).not.toContain('never to be seen');
  });

  test('is read in parts that make up the whole', async () => {
    const { content: whole, chars } = await scraped('/article');
    let [read, start] = ['', 0];
    for (let next: number | undefined = 0; next !== undefined; ) {
      const part: { content: string; nextStart?: number; chars: number } = (
        await call({ maxChars: 333, startFromChar: next })
      ).body;
      expect(part.chars).toBe(chars);
      read += part.content;
      start++;
      next = part.nextStart;
    }
    expect(read).toBe(whole);
    expect(start).toBe(Math.ceil(chars / 333));
    const emoji = await call({ html: '<p>🦦🦦🦦</p>', maxChars: 3, format: 'text' });
    expect(emoji.body).toMatchObject({ content: '🦦', nextStart: 2, truncated: true });
  });
});

describe('other pages', () => {
  test('that are no article keep their items', async () => {
    const { content } = await scraped('/listing');
    for (const n of [1, 10, 20]) expect(content).toContain(`[Product number ${n}](${site.origin}/item/${n})`);
    expect(content).toContain('20.50 €');
    expect(content).not.toContain('Cart');
  });

  test('are taken apart by selectors', async () => {
    const { data, content } = await scraped('/listing', {
      selector: '.card:nth-child(2)',
      extract: {
        first: { selector: '.price' },
        links: { selector: '.card a', attribute: 'href', all: true },
        none: { selector: '.nothing' },
        empty: { selector: '.nothing', all: true },
      },
    });
    expect(content).toContain('Product number 2');
    expect(content).not.toContain('Product number 3');
    expect(data).toMatchObject({ first: '1.50 €', none: null, empty: [] });
    expect(data.links).toHaveLength(20);
    expect(data.links[0]).toBe(`${site.origin}/item/1`);
    expect(await refused('/listing', { selector: '.crad' })).toMatchObject({
      code: 'SELECTOR_NOT_FOUND',
      details: { selector: '.crad' },
    });
    for (const bad of [{ selector: '][' }, { extract: { a: { selector: '][' } } }, { waitFor: '][' }])
      expect(await refused('/listing', bad)).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('give their links, headings, images, tables and metadata', async () => {
    const body = await scraped('/article', {
      include: ['links', 'headings', 'images', 'tables', 'metadata'],
    });
    expect(body.links).toContainEqual({ url: `${site.origin}/weather`, text: 'Weather' });
    expect(body.headings).toContainEqual({ level: 1, text: 'Otters return to the river' });
    expect(body.images[0]).toMatchObject({ alt: 'An otter [asleep]' });
    expect(body.tables).toEqual([
      {
        caption: 'Counts',
        headers: ['Year', 'Otters'],
        rows: [
          ['2024', '2'],
          ['2025', 'a|b'],
        ],
      },
    ]);
    expect(body.metadata).toMatchObject({
      canonical: `${site.origin}/news/otters`,
      author: 'Ada Field',
      openGraph: { title: 'Otters return' },
      jsonLd: [{ '@type': 'NewsArticle' }],
    });
  });

  test('give their forms without passwords, whatever the fields are called', async () => {
    const { forms, content } = await scraped('/form', { include: ['forms'] });
    expect(content).toContain('Enter your name');
    expect(forms[0]).toMatchObject({ action: `${site.origin}/login`, method: 'post', id: 'login' });
    expect(forms[0].fields).toContainEqual({
      name: 'user',
      type: 'text',
      label: 'Name',
      required: true,
      value: '',
    });
    expect(JSON.stringify(forms)).not.toContain('hunter2');
  });

  test('from frames and shadow roots, where asked', async () => {
    const framed = await scraped('/framed', { includeFrames: true, format: 'text', mainContent: false });
    expect(framed.content).toBe('Outside.\n\nInside the first.\n\nInside the second.\n\nAfter.');
    expect((await scraped('/framed', { format: 'text', mainContent: false })).content).toBe(
      'Outside.\n\nAfter.',
    );
    expect((await scraped('/shadow', { format: 'text' })).content).toContain('In the shadow: Slotted.');
    expect((await scraped('/shadow', { format: 'text', includeShadow: false })).content).not.toContain(
      'shadow',
    );
  });

  test.each([
    ['/shift-jis', '日本'],
    ['/cyrillic', 'Привет'],
    ['/latin', 'café'],
  ])('in other encodings are read: %s', async (path, words) => {
    expect((await scraped(path)).content).toBe(words);
  });

  test('that are data, text or a picture', async () => {
    expect((await scraped('/json', { format: 'json' })).content).toEqual({ otters: [1, 2] });
    expect(await scraped('/json')).toMatchObject({
      content: '```json\n{"otters":[1,2]}\n```',
      contentType: 'application/json',
    });
    expect((await scraped('/text')).content).toBe('Plain <b>text</b>\nof two lines');
    expect((await scraped('/xml', { format: 'text' })).content).toContain('<item>one</item>');
    expect((await scraped('/picture')).content).toBe(`![](${site.origin}/picture)`);
  });
});

describe('waiting', () => {
  test.each(['/late-fetch', '/late-timer'])('a page that scripts make is waited for: %s', async (path) => {
    expect((await scraped(path)).content).toContain('Words enough');
  });

  test.each(['/polls', '/never-loads'])('a page that never rests is read: %s', async (path) => {
    expect((await scraped(path)).content).toContain('Words enough');
  });

  test('for a selector, for the load or for a time', async () => {
    expect((await scraped('/late-fetch', { waitFor: 'main' })).content).toContain('Words enough');
    expect((await scraped('/late-fetch', { waitFor: 'networkidle' })).content).toContain('Words enough');
    expect((await scraped('/late-timer', { waitFor: 3000 })).content).toContain('Rendered late');
    for (const waitFor of ['load', 'domcontentloaded'])
      expect((await scraped('/never-fetched', { waitFor, format: 'text' })).content).toBe('Loading…');
  });

  test('ends with 504, or with what there is', async () => {
    const late = { waitFor: '#never', timeoutMs: 800 };
    expect(await refused('/article', late)).toMatchObject({
      code: 'QUICK_ACTION_TIMEOUT',
      details: { timeoutMs: 800 },
    });
    // enough to come to the page on a busy machine
    const there = { timeoutMs: 5000, partial: true };
    expect(await scraped('/article', { ...late, ...there })).toMatchObject({
      timedOut: true,
      content: expect.stringContaining('Paragraph 1'),
    });
    expect(await refused('/drips', { timeoutMs: 800 })).toMatchObject({ code: 'QUICK_ACTION_TIMEOUT' });
    expect((await scraped('/drips', there)).content).toContain('Words enough');
    expect(await refused('/hang', { timeoutMs: 800, partial: true })).toMatchObject({
      code: 'QUICK_ACTION_TIMEOUT',
    });
  });

  test('follows the page where it goes', async () => {
    expect(await scraped('/meta')).toMatchObject({
      url: `${site.origin}/meta`,
      finalUrl: `${site.origin}/listing`,
    });
    expect(await scraped('/redirect')).toMatchObject({ finalUrl: `${site.origin}/article`, statusCode: 200 });
  });

  test('is spared what is not wanted', async () => {
    const before = site.asked.length;
    await scraped('/never-loads', { blockResources: ['image'] });
    expect(site.asked.slice(before)).not.toContain('/hang');
  });
});

describe('what is no page', () => {
  test('is named as what it is', async () => {
    expect(await scraped('/missing')).toMatchObject({
      statusCode: 404,
      content: expect.stringContaining('No such page'),
    });
    expect(await scraped('/empty-500')).toMatchObject({ statusCode: 500, content: '' });
    expect(await refused('/circle')).toMatchObject({
      code: 'NAVIGATION_FAILED',
      details: { reason: 'ERR_TOO_MANY_REDIRECTS' },
    });
    expect(await refused('/nothing')).toMatchObject({
      code: 'NAVIGATION_FAILED',
      details: { reason: 'NO_CONTENT', statusCode: 204 },
    });
    expect(await refused('/file')).toMatchObject({
      code: 'NAVIGATION_FAILED',
      details: { reason: 'DOWNLOAD', contentType: 'application/zip' },
    });
    const { body } = await call({ url: 'http://10.1.2.3/' });
    expect(body.error, JSON.stringify(body.error)).toMatchObject({
      code: 'POLICY_BLOCKED',
      category: 'policy',
    });
    const closed = await call({ url: 'http://127.0.0.1:9/' });
    expect(closed.body.error).toMatchObject({ code: 'NAVIGATION_FAILED' });
  });
});

describe('a hostile page', () => {
  test.each([
    ['/tampered', 'Honest.'],
    ['/deep', 'Bottom.'],
    ['/trusted-types', 'Paragraph 1'],
    ['/alerts', 'After the dialog.'],
  ])('%s is read', async (path, words) => {
    expect((await scraped(path)).content).toContain(words);
  });

  test('that brings down its own process is reported, and the tab goes on', async () => {
    const { body } = await call({ url: `${site.origin}/bottomless` });
    expect(body.error?.code ?? 'read').toMatch(/^(?:PAGE_CRASHED|read)$/);
    expect((await scraped('/text')).content).toContain('Plain');
  });

  test.each(['/many', '/huge'])('%s is cut where it is too large', async (path) => {
    const body = await scraped(path, { maxChars: 100, timeoutMs: 60_000 });
    expect(body.truncated).toBe(true);
    expect(body.content).toHaveLength(100);
  });

  test('whose script never ends does not hold up other calls', async () => {
    const { body: browser } = await server.api.create({ policy });
    const { body } = await call({ url: `${site.origin}/loops`, timeoutMs: 1500 }, browser.id);
    expect(body.error).toMatchObject({ code: 'QUICK_ACTION_TIMEOUT' });
    expect((await server.api.status(browser.id)).status).toBe(200);
    expect((await server.api.remove(browser.id)).status).toBe(200);
  });

  test('cannot hide the programs that read it behind elements of their names', async () => {
    const programs = ['scrape', 'settling', 'elements', 'captcha/captcha'];
    const names = ['pdf', 'scraping', 'browserd pdf', ...programs.map((name) => `browserd inside/${name}`)];
    const html = article.replace('<main>', `<main>${names.map((name) => `<a id="${name}"></a>`).join('')}`);
    const { status, body } = await call({ html });
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    expect(body.content).toContain('Paragraph 1 tells');
    expect(body.content).not.toContain('Most read');
  });

  test('cannot write into the answer', async () => {
    const { title, content } = await scraped('/plaintext', { format: 'html' });
    expect(title).toBe('<b>bold</b>');
    expect(content).not.toContain('<script');
  });
});

describe('a tab', () => {
  test('is scraped as it is, beside a script that runs in it', async () => {
    await scraped('/article');
    const written = site.asked.length;
    const script = server.api.call('POST', `/v1/browsers/${id}/script/execute`, {
      body: {
        code: `await page.setContent('<p>Written by the script.</p>');
          await context.request.get(args, { timeout: 3000 }).catch(() => 0)`,
        args: `${site.origin}/hang`,
      },
    });
    await eventually(async () => site.asked.slice(written).includes('/hang'), Boolean);
    expect((await call({ format: 'text' })).body.content).toBe('Written by the script.');
    await script;
    const { body: html } = await call({ html: '<h1>Given</h1><p>By the caller.</p>' });
    expect(html).toMatchObject({ statusCode: null, content: expect.stringContaining('By the caller.') });
  });

  test('shows HTML to its end, also where a script of it is late', async () => {
    const html = `<p>Before.</p><script src="${site.origin}/slow"></script><p>After the script.</p>`;
    const { body } = await call({ html, waitFor: 'domcontentloaded', format: 'text' });
    expect(body.content).toBe('Before.\n\nAfter the script.');
  });

  test('that is not there, or whose browser is stopped, is refused, and so are wrong requests', async () => {
    expect((await call({ tabId: 'none' })).body.error).toMatchObject({ code: 'TAB_NOT_FOUND' });
    for (const wrong of [
      { url: 'file:///etc/passwd' },
      { url: 'https://a.example', html: '<p>' },
      { format: 'pdf' },
      { maxChars: 0 },
      { unknown: 1 },
    ])
      expect((await call(wrong)).body.error).toMatchObject({ code: 'VALIDATION_FAILED' });
    const { body: browser } = await server.api.create();
    await server.api.stop(browser.id);
    expect((await call({}, browser.id)).body.error).toMatchObject({
      code: 'BROWSER_NOT_READY',
      nextStep: 'resume_browser',
    });
    await server.api.remove(browser.id);
  });
});
