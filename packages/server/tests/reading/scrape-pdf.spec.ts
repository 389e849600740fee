import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { captureAt } from '../support/capture-client.ts';
import type { Answer } from '../support/client.ts';
import { filesBelow } from '../support/leaks.ts';
import { type ScrapeSite, startScrapeSite } from '../support/scrape-site.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: ScrapeSite;
let id: string;
const policy = { privateAccess: { localhost: true } };

const sentence = 'The otter swims in the cold river before the sun is up and sleeps in the reeds. ';
const paper = `<!doctype html><html lang=en><title>On Otters</title><meta name=author content="Ada Field">
  <body style="font: 16px serif"><h1>On otters</h1><p>First. ${sentence.repeat(6)}</p><p>Second. ${sentence.repeat(6)}</p>
  <h2 style="break-before: page">Where they live</h2><p>On the second page. ${sentence.repeat(3)}</p>
  <p>A holt,<br>a river<br>and a bank.</p>`;

/** As files from elsewhere are: an alphabet of its own, a line that is cut without a space. */
const [above, below] = ['水獺は川で泳ぎ、', '葦の中で眠る。'];
const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
const stream = (body: string): string => `<</Length ${body.length}>>stream\n${body}\nendstream\n`;
const japanese = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj${stream(`BT /F 20 Tf 20 100 Td <${hex(above)}> Tj 0 -24 Td <${hex(below)}> Tj ET`)}endobj
5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>endobj
6 0 obj<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 1000/FontDescriptor<</Type/FontDescriptor/FontName/Own/Flags 4/FontBBox[0 0 1000 1000]>>>>endobj
7 0 obj${stream('begincmap 1 begincodespacerange <0000><ffff> endcodespacerange 1 beginbfrange <0000><ffff><0000> endbfrange endcmap')}endobj
trailer<</Root 1 0 R/Size 8>>
%%EOF`);
/** The same, with much that is no text. */
const large = Buffer.concat([
  japanese.subarray(0, japanese.indexOf('trailer')),
  Buffer.from(`8 0 obj<</Length ${8 * 1024 ** 2}>>stream\n`),
  Buffer.alloc(8 * 1024 ** 2, '\xd8\x00', 'latin1'),
  Buffer.from('\nendstream\nendobj\n'),
  japanese.subarray(japanese.indexOf('trailer')),
]);

/** Opens with a password that is not known. */
const encrypted = Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj
trailer<</Root 1 0 R/Size 3/ID[<00><00>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>>>>>
%%EOF`);

beforeAll(async () => {
  site = await startScrapeSite();
  server = await startServer();
  id = (await server.api.create({ policy })).body.id;
  const { bytes } = await captureAt(server.api, '/v1/pdf', { html: paper, format: 'a4' });
  site.serve('/paper', 'application/pdf', bytes);
  site.serve('/file.pdf', 'application/octet-stream', bytes, { 'content-disposition': 'attachment' });
  site.serve('/japanese', 'application/pdf', japanese);
  site.serve('/large', 'application/pdf', large);
  site.serve('/broken', 'application/pdf', Buffer.from('%PDF-1.7\nnothing that follows'));
  site.serve('/encrypted', 'application/pdf', encrypted);
  site.serve('/to-paper', 'text/html', Buffer.from('<p>Wait.</p><script>location = "/paper"</script>'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const inTab = (path: string, more: object = {}): Promise<Answer> =>
  server.api.call('POST', `/v1/browsers/${id}/scrape`, { body: { url: site.origin + path, ...more } });
const atOnce = (path: string, more: object = {}): Promise<Answer> =>
  server.api.call('POST', '/v1/scrape', { body: { url: site.origin + path, policy, ...more } });

describe.each([
  ['in a tab', inTab],
  ['in one request', atOnce],
])('the address of a PDF, %s', (_, scrape) => {
  test('gives its text, with headings and paragraphs, a rule between pages', async () => {
    const before = site.asked.length;
    const { status, body } = await scrape('/paper', { include: ['metadata', 'headings'] });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body).toMatchObject({
      finalUrl: `${site.origin}/paper`,
      title: 'On Otters',
      statusCode: 200,
      contentType: 'application/pdf',
      truncated: false,
      metadata: { language: 'en', meta: { pages: '2' } },
    });
    expect(body.content.split('\n\n')).toEqual([
      '# On otters',
      `First. ${sentence.repeat(6)}`.trim(),
      `Second. ${sentence.repeat(6)}`.trim(),
      '---',
      '## Where they live',
      `On the second page. ${sentence.repeat(3)}`.trim(),
      'A holt,\na river\nand a bank.',
    ]);
    expect(body.headings).toMatchObject([
      { level: 1, text: 'On otters' },
      { level: 2, text: 'Where they live' },
    ]);
    expect(site.asked.slice(before)).toEqual(['/paper']);
  });

  test('gives it in any alphabet', async () => {
    expect((await scrape('/japanese')).body).toMatchObject({ content: above + below, title: '' });
  });

  test('is also known by the name of a file, and followed where a page leads to it', async () => {
    for (const path of ['/file.pdf', '/to-paper']) {
      const { body } = await scrape(path, { format: 'text' });
      expect([path, body.error, body.contentType]).toEqual([path, undefined, 'application/pdf']);
      expect(body.content).toContain('On otters\n\nFirst. The otter');
    }
  });

  test('is waited for where a page leads to it', async () => {
    const { body } = await scrape('/to-paper', { waitFor: '#page-2', selector: '#page-2', format: 'text' });
    expect([body.error, body.finalUrl]).toEqual([undefined, `${site.origin}/paper`]);
    expect(body.content).toContain('On the second page.');
  });

  test('has its pages as sections to be waited for and selected', async () => {
    const { body } = await scrape('/paper', {
      waitFor: '#page-2',
      selector: '#page-2',
      format: 'html',
      extract: { first: { selector: 'h1' } },
    });
    expect(body.content).toContain('<h2>Where they live</h2><p>On the second page.');
    expect(body.content).not.toContain('First.');
    expect(body.data).toEqual({ first: 'On otters' });
    const json = await scrape('/paper', { format: 'json' });
    expect(json.body.content.sections).toMatchObject([
      { level: 1, heading: 'On otters' },
      { level: 2, heading: 'Where they live' },
    ]);
  });

  test('that cannot be opened says why', async () => {
    for (const [path, reason] of [
      ['/broken', 'PDF_BROKEN'],
      ['/encrypted', 'PDF_ENCRYPTED'],
    ] as const) {
      const { status, body } = await scrape(path);
      expect([path, status, body.error]).toMatchObject([
        path,
        422,
        { code: 'NAVIGATION_FAILED', details: { reason, url: site.origin + path } },
      ]);
    }
    expect((await scrape('/text')).body.content).toContain('Plain');
  });

  test('is read when it is large, and refused when it is too large, or never ends', async () => {
    expect((await scrape('/large')).body).toMatchObject({ content: above + below });
    for (const path of ['/endless.pdf', '/said-too-large.pdf'])
      expect((await scrape(path)).body.error).toMatchObject({
        code: 'NAVIGATION_FAILED',
        details: { reason: 'PDF_TOO_LARGE' },
      });
    expect((await scrape('/begun.pdf', { timeoutMs: 1000 })).body.error).toMatchObject({
      code: 'QUICK_ACTION_TIMEOUT',
    });
    expect((await scrape('/paper')).status).toBe(200);
  });

  test('gives the status of its site, and where it was led from', async () => {
    site.serve('/gone-paper', 'application/pdf', japanese, {}, 410);
    site.serve('/moved-paper', 'text/plain', Buffer.alloc(0), { location: '/gone-paper' }, 302);
    const { body } = await scrape('/moved-paper');
    expect(body).toMatchObject({
      statusCode: 410,
      finalUrl: `${site.origin}/gone-paper`,
      content: above + below,
    });
  });
});

test('of files that come in place of a page, or beside it, nothing is left on the disk', async () => {
  const kept = () => filesBelow(server.exchangeDir);
  site.serve('/report', 'application/zip', Buffer.alloc(1000), { 'content-disposition': 'attachment' });
  site.serve(
    '/slow-page',
    'text/html',
    Buffer.from('<p>Read me.</p><iframe src=/report></iframe><iframe src=/file.pdf></iframe>'),
  );
  expect((await atOnce('/report')).body.error).toMatchObject({ details: { reason: 'DOWNLOAD' } });
  expect((await atOnce('/slow-page')).body.content).toContain('Read me.');
  expect((await atOnce('/large')).status).toBe(200);
  expect((await atOnce('/begun.pdf', { timeoutMs: 1000 })).body.error).toMatchObject({
    code: 'QUICK_ACTION_TIMEOUT',
  });
  const chromiums = readdirSync(server.exchangeDir);
  await eventually(kept, (names) => names.length === 0);
  // Not because the Chromium that had them was ended meanwhile.
  expect(readdirSync(server.exchangeDir)).toEqual(chromiums);
});

test('a tab that shows the text of a PDF is read on, part by part', async () => {
  const whole = (await inTab('/paper')).body.content;
  const rest = await server.api.call('POST', `/v1/browsers/${id}/scrape`, {
    body: { startFromChar: 100 },
  });
  expect(rest.body.content).toBe(whole.slice(100));
});
