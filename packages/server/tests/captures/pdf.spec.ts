import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Captured, capture } from '../support/capture-client.ts';
import { download } from '../support/file-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

const page = (name: string): string => `<h1 style="break-after:page">Chapter ${name}</h1>`;
const pages: Record<string, string> = {
  '/book': `<!doctype html><html lang=en><title>The Book</title><body style="background:#f00">${page('one')}${page('two')}<h1>Chapter three</h1>`,
  // wide on the screen, other words and another height in print, and it asks for sheets of its own
  '/long': `<!doctype html><title>long</title><style>body { margin: 0 } @media print { #end { margin-top: 500px } }</style>
    <p style="break-after:page">begin</p><div style="height:3000px"></div><p id=end>end</p>`,
  '/own-size':
    '<!doctype html><title>own</title><style>@page { size: 4in 5in; margin: 0 }</style><p>own size</p>',
};

let server: TestServer;
let site: Site;
let id: string;
const policy = { privateAccess: { localhost: true } };

const visit = async (path: string): Promise<void> => {
  const body = { url: site.origin + path, waitFor: 'load' };
  expect((await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body })).status).toBe(200);
};

beforeAll(async () => {
  site = await startSite(pages);
  server = await startServer();
  id = (await server.api.create({ policy, startUrl: `${site.origin}/book` })).body.id;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const pdf = (body?: object, browser = id): Promise<Captured> => capture(server.api, browser, 'pdf', body);

const refused = async (body: object) => {
  const { status, body: answer } = await pdf(body);
  return [status, answer.error?.code, answer.error?.details.issues?.[0].path];
};

async function read({ status, body, bytes }: Pick<Captured, 'status' | 'body' | 'bytes'>) {
  expect({ status, body }).toEqual({ status: 200, body: undefined });
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const { text } = await extractText(document);
  const [, , width, height] = (await document.getPage(1)).view;
  return { document, text, inches: [width, height].map((points) => (points ?? 0) / 72) };
}

describe('a PDF', () => {
  test('has all pages and their text, as bytes to be saved, when nothing is said', async () => {
    const answer = await pdf();
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="page.pdf"',
    });
    const { text, inches } = await read(answer);
    expect(text).toEqual(['Chapter one', 'Chapter two', 'Chapter three']);
    expect(inches).toEqual([8.5, 11]);
  });

  test('has the paper that was asked for', async () => {
    const sizeOf = async (body: object) =>
      (await read(await pdf(body))).inches.map((side) => Number(side.toFixed(1)));
    expect(await sizeOf({ format: 'a4' })).toEqual([8.3, 11.7]);
    expect(await sizeOf({ format: 'a6', landscape: true })).toEqual([5.8, 4.1]);
    expect(await sizeOf({ width: '10cm', height: 480 })).toEqual([3.9, 5]);
    await visit('/own-size');
    expect(await sizeOf({ preferCssPageSize: true })).toEqual([4, 5]);
    expect(await sizeOf({})).toEqual([8.5, 11]);
    await visit('/book');
  });

  test('has the pages that were asked for', async () => {
    expect((await read(await pdf({ pageRanges: '2-3' }))).text).toEqual(['Chapter two', 'Chapter three']);
    expect((await read(await pdf({ pageRanges: '3, 1' }))).text).toHaveLength(2);
  });

  test('has header and footer', async () => {
    const small = 'font-size:10px';
    const { text } = await read(
      await pdf({
        headerTemplate: `<b style="${small}">Head of <span class=title></span></b>`,
        footerTemplate: `<b style="${small}">Sheet <span class=pageNumber></span> of <span class=totalPages></span></b>`,
        margin: { top: '1in', bottom: '1in' },
      }),
    );
    expect(text[1]).toMatch(/Head of The Book/);
    expect(text[1]).toMatch(/Sheet 2 of 3/);
    const headOnly = await read(await pdf({ headerTemplate: `<b style="${small}">Head</b>` }));
    expect(headOnly.text[0]).not.toMatch(/127\.0\.0\.1/);
  });

  test('has an outline, tags and backgrounds only if asked', async () => {
    const { document: plain } = await read(await pdf({ tagged: false }));
    expect([await plain.getOutline(), await plain.getMarkInfo()]).toEqual([null, null]);
    const { document: rich } = await read(await pdf({ outline: true }));
    expect((await rich.getOutline())?.map(({ title }) => title)).toEqual([
      'Chapter one',
      'Chapter two',
      'Chapter three',
    ]);
    expect(await rich.getMarkInfo()).toMatchObject({ Marked: true });
    expect(JSON.stringify(await (await rich.getPage(1)).getStructTree())).toContain('H1');
    const [white, red] = [await pdf({ tagged: false }), await pdf({ tagged: false, printBackground: true })];
    expect(red.bytes.length).toBeGreaterThan(white.bytes.length);
  });

  test('is on one sheet, as long as the page, if asked', async () => {
    await visit('/long');
    const { text, inches } = await read(await pdf({ singlePage: true }));
    expect(text).toHaveLength(1);
    expect(text[0]).toMatch(/begin[\s\S]*end/);
    expect(inches[0]).toBeCloseTo(1280 / 96, 1);
    // 3000 and 500 in print, and two lines of text with what is around them
    expect(inches[1]).toBeGreaterThan(3500 / 96);
    expect(inches[1]).toBeLessThan(3700 / 96);
    const fitted = await read(await pdf({ singlePage: true, format: 'a4', media: 'screen' }));
    expect([fitted.text.length, Number(fitted.inches[0]?.toFixed(1))]).toEqual([1, 8.3]);
    expect(fitted.inches[1]).toBeLessThan(((3200 / 96) * 8.27) / (1280 / 96));
    expect((await read(await pdf())).text.length).toBeGreaterThan(2);
    await visit('/book');
  });

  test('says about itself what it is told to, and otherwise what Chromium says', async () => {
    const about = { author: 'Ada Lovelace', keywords: 'κλειδί, ключ, 🔑' };
    const { document, text } = await read(await pdf({ about }));
    expect(text).toHaveLength(3);
    expect((await document.getMetadata()).info).toMatchObject({
      Title: 'The Book',
      Author: about.author,
      Keywords: about.keywords,
      Producer: expect.stringContaining('Skia'),
    });
    const named = await read(await pdf({ about: { title: 'Another (\\ title', subject: 'S' } }));
    expect((await named.document.getMetadata()).info).toMatchObject({
      Title: 'Another (\\ title',
      Subject: 'S',
    });
  });

  test('is kept as a file of the browser, if asked', async () => {
    const { status, body, headers } = await pdf({ store: true });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: 'page.pdf', mimeType: 'application/pdf', source: 'pdf' },
    });
    expect(headers.get('location')).toBe(`/v1/browsers/${id}/files/${body.id}`);
    const bytes = Buffer.from(await (await download(server.api, id, body.id)).arrayBuffer());
    expect((await read({ status: 200, body: undefined, bytes })).text).toHaveLength(3);
  });

  test('is refused with the reason when it cannot be', async () => {
    const issue = (path: string) => [400, 'VALIDATION_FAILED', path];
    for (const pageRanges of ['9', '3-2', '1--2', 'one'])
      expect([pageRanges, await refused({ pageRanges })]).toEqual([pageRanges, issue('pageRanges')]);
    expect(await refused({ margin: { top: '6in', bottom: '5in' } })).toEqual(issue('margin'));
    expect(await refused({ landscape: true, margin: { top: '5in', bottom: '5in' } })).toEqual(
      issue('margin'),
    );
    expect(await refused({ margin: { left: '3 feet' } })).toEqual(issue('margin.left'));
    expect(await refused({ format: 'a4', width: '5in' })).toEqual(issue('format'));
    expect(await refused({ width: '1px', height: '1px' })).toEqual(issue('width'));
    expect(await refused({ outline: true, tagged: false })).toEqual(issue('outline'));
    expect(await refused({ scale: 3 })).toEqual(issue('scale'));
    expect(await refused({ singlePage: true, landscape: true })).toEqual(issue('landscape'));
    expect(await refused({ singlePage: true, width: '0.5in' })).toEqual(issue('width'));
  });

  test('that fills the smallest paper still comes to an end', async () => {
    const smallest = { width: '0.2in', height: '0.2in', margin: { top: '0.05in' } };
    expect((await pdf({ ...smallest, pageRanges: '1' })).status).toBe(200);
  });

  test('is printed by the whole Chromium too', async ({ skip }) => {
    const made = await server.api.create({ policy, engine: 'full', startUrl: `${site.origin}/book` });
    if (made.body.error?.code === 'FEATURE_UNAVAILABLE') skip('only one engine is installed');
    const { text } = await read(await pdf({ outline: true }, made.body.id));
    expect(text).toHaveLength(3);
    await server.api.remove(made.body.id);
  });
});
