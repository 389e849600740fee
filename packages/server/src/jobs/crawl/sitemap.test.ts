import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readSitemap, type SitemapEntry } from './sitemap.ts';

async function read(content: string | Buffer | Iterable<Buffer>, most = Number.POSITIVE_INFINITY) {
  const entries: SitemapEntry[] = [];
  const source = Readable.from(
    typeof content === 'string' || Buffer.isBuffer(content) ? [Buffer.from(content)] : content,
    { objectMode: false },
  );
  const fault = await readSitemap(source, {
    entry: (entry) => entries.push(entry) < most,
    turn: () => Promise.resolve(),
  });
  expect(source.destroyed).toBe(true);
  return { urls: entries.map(({ url }) => url), sitemaps: entries.filter((e) => e.isSitemap).length, fault };
}

const urlset = (inner: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`;

test('addresses are read from XML, packed or not, and nothing else in it', async () => {
  const text = urlset(
    '<url><loc> https://a.test/1?x=1&amp;y=2 </loc><lastmod>2026-01-01</lastmod></url><url><image:image><image:loc>https://a.test/picture</image:loc></image:image><loc><![CDATA[https://a.test/2]]></loc></url>',
  );
  const urls = ['https://a.test/1?x=1&y=2', 'https://a.test/2'];
  expect(await read(text)).toEqual({ urls, sitemaps: 0, fault: undefined });
  expect(await read(gzipSync(text))).toEqual({ urls, sitemaps: 0, fault: undefined });
});

test('a file that breaks off is read as far as it goes', async () => {
  const text = urlset('<url><loc>https://a.test/1</loc></url><url><loc>https://a.test/2</loc>');
  expect(await read(text)).toMatchObject({
    urls: ['https://a.test/1', 'https://a.test/2'],
    fault: 'no sitemap',
  });
});

test('an index names further sitemaps', async () => {
  const text = '<sitemapindex><sitemap><loc>https://a.test/one.xml.gz</loc></sitemap></sitemapindex>';
  expect(await read(text)).toEqual({ urls: ['https://a.test/one.xml.gz'], sitemaps: 1, fault: undefined });
});

test('plain text has one address a line', async () => {
  expect((await read('https://a.test/1\r\n\nnot one\n https://a.test/2')).urls).toEqual([
    'https://a.test/1',
    ' https://a.test/2'.trim(),
  ]);
});

test('characters that are cut by a piece are whole', async () => {
  const bytes = Buffer.from(urlset('<url><loc>https://a.test/ü-ß-日本</loc></url>'));
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  expect((await read(pieces)).urls).toEqual(['https://a.test/ü-ß-日本']);
});

test('entities that a file declares are not expanded: the file is left', async () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${urlset('<url><loc>&b;</loc></url>')}`;
  expect(await read(bomb)).toEqual({ urls: [], sitemaps: 0, fault: 'no sitemap' });
});

test('a file that unpacks to more than the limit is left there', async () => {
  const bomb = gzipSync(`<urlset>${`<url>${' '.repeat(500_000)}</url>`.repeat(110)}</urlset>`);
  expect((await read(bomb)).fault).toBe('too many bytes');
});

test('no more entries are taken than a sitemap may have', async () => {
  const one = '<url><loc>https://a.test/1</loc></url>';
  const found = await read(urlset(one.repeat(50_001)));
  expect([found.urls.length, found.fault]).toEqual([50_000, 'too many entries']);
});

test('reading stops when there is enough', async () => {
  expect((await read(urlset('<url><loc>https://a.test/1</loc></url>'.repeat(100)), 3)).urls.length).toBe(3);
});

test.each([
  ['a page', '<!doctype html><html><body>Not found</body></html>'],
  ['a tag without an end', `<urlset ${'x'.repeat(2 * 1024 ** 2)}`],
  ['a text without an end', `<urlset>${'x'.repeat(2 * 1024 ** 2)}`],
  ['nesting without an end', '<a>'.repeat(100)],
  ['an entity without a declaration', '<urlset><url><loc>https://a.test/&b;</loc></url></urlset>'],
  ['a line without an end', 'x'.repeat(2 * 1024 ** 2)],
  ['packed rubbish', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9])],
])('%s is no sitemap', async (_, content) => {
  expect(await read(content)).toEqual({ urls: [], sitemaps: 0, fault: 'no sitemap' });
});

test('nothing at all has no entries', async () => {
  expect(await read('')).toEqual({ urls: [], sitemaps: 0, fault: undefined });
});
