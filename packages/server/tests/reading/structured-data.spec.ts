/** A JSON Schema filled without a model: from what pages tell machines, people and selectors. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dataPages } from '../support/data-pages.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
const policy = { privateAccess: { localhost: true } };
const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });

beforeAll(async () => {
  site = await startSite(dataPages);
  server = await startServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const text = { type: 'string' };
const number = { type: 'number' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const listOf = (items: object, more: object = {}) => ({ type: 'array', items, ...more });

const scrape = (path: string, schema: object, more: object = {}) =>
  server.api.call('POST', '/v1/scrape', { body: { url: site.origin + path, policy, schema, ...more } });

/** What validates is checked by another reader of JSON Schema. */
const filled = async (path: string, schema: object) => {
  const { status, body } = await scrape(path, schema);
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  const { data, unfilled, missing, sources } = body;
  const validates = ajv.compile(schema);
  expect({ valid: validates(data), missing: missing.length > 0 }).toEqual({
    valid: missing.length === 0,
    missing: missing.length > 0,
  });
  return { data, unfilled, missing, sources };
};

const refusal = async (schema: unknown, more: object = {}) => {
  const body = { html: '<p>x', schema, ...more };
  const answer = await server.api.call('POST', '/v1/scrape', { body });
  expect(answer.status).toBe(400);
  return answer.body.error as { code: string; message: string; details: { issues: { path: string }[] } };
};

describe('a page of a product', () => {
  test('gives what its JSON-LD says, in the types that were asked for', async () => {
    const schema = object(
      {
        name: text,
        price: number,
        currency: text,
        inStock: { type: 'boolean' },
        availability: { enum: ['InStock', 'OutOfStock'] },
        rating: { type: 'number', minimum: 0, maximum: 5 },
        review_count: { type: 'integer' },
        images: listOf({ type: 'string', format: 'uri' }),
        brand: text,
        seller: object({ name: text, url: { type: 'string', format: 'uri' } }),
        'price-valid-until': { type: 'string', format: 'date' },
        reviews: listOf(object({ author: text, text })),
      },
      { required: ['name', 'price'] },
    );
    expect(await filled('/product', schema)).toEqual({
      data: {
        name: 'Desk lamp',
        price: 1299.5,
        currency: 'EUR',
        inStock: true,
        availability: 'InStock',
        rating: 4.6,
        review_count: 128,
        images: [`${site.origin}/lamp-1.jpg`, `${site.origin}/lamp-2.jpg`],
        brand: 'Lumen',
        seller: { name: 'The Shop', url: `${site.origin}/` },
        'price-valid-until': '2026-12-31',
        reviews: [
          { author: 'Ada', text: 'Bright.' },
          { author: 'Bob', text: 'Dim.' },
        ],
      },
      unfilled: [],
      missing: [],
      sources: expect.objectContaining({ '/name': 'jsonLd', '/seller/name': 'jsonLd', '/reviews': 'jsonLd' }),
    });
  });

  test('names what it does not have, and which of it was required', async () => {
    const schema = object(
      {
        name: text,
        colour: text,
        warranty: { type: ['integer', 'null'] },
        brand: object({ name: text, founded: { type: 'integer' } }, { required: ['founded'] }),
        size: object({ width: number }),
      },
      { required: ['colour', 'warranty'] },
    );
    expect(await filled('/product', schema)).toEqual({
      data: { name: 'Desk lamp', warranty: null, brand: { name: 'Lumen' } },
      unfilled: ['/colour', '/warranty', '/brand/founded', '/size'],
      missing: ['/colour', '/warranty', '/brand/founded'],
      sources: { '/name': 'jsonLd', '/brand/name': 'jsonLd' },
    });
  });

  test('is asked by selectors first, then by the names that the schema adds', async () => {
    const schema = object({
      name: { type: 'string', 'x-selector': 'meta[property="og:title"]', 'x-attribute': 'content' },
      grams: { type: 'integer', 'x-selector': '.weight', 'x-attribute': 'data-grams' },
      code: { type: 'string', 'x-names': ['sku'] },
      sku: { type: 'string', 'x-selector': '.nowhere' },
    });
    const { data, sources } = await filled('/product', schema);
    expect(data).toEqual({ name: 'A lamp to love', grams: 750, code: 'L-100', sku: 'L-100' });
    expect(sources).toEqual({
      '/name': 'selector',
      '/grams': 'selector',
      '/code': 'jsonLd',
      '/sku': 'jsonLd',
    });
  });

  test('is the same on a tab', async () => {
    const { id } = (await server.api.create({ policy })).body;
    const body = { url: `${site.origin}/product`, schema: object({ name: text, nothing: text }) };
    const tab = await server.api.call('POST', `/v1/browsers/${id}/scrape`, { body });
    expect(tab.body).toMatchObject({ data: { name: 'Desk lamp' }, unfilled: ['/nothing'], missing: [] });
    await server.api.remove(id);
  });
});

describe('a list', () => {
  test('of microdata becomes objects, and what one of them lacks is named', async () => {
    const schema = object({
      products: listOf(
        object(
          {
            name: text,
            price: number,
            url: { type: 'string', format: 'uri' },
            available: { type: 'boolean' },
          },
          { required: ['price'] },
        ),
      ),
    });
    const { data, unfilled, missing, sources } = await filled('/listing', schema);
    expect(data.products).toEqual([
      { name: 'Apollo', price: 19.9, url: `${site.origin}/p/apollo`, available: true },
      { name: 'Boreas', price: 29.9, url: `${site.origin}/p/boreas`, available: false },
      { name: 'Ceres', url: `${site.origin}/p/ceres`, available: true },
    ]);
    expect({ unfilled, missing }).toEqual({
      unfilled: ['/products/2/price'],
      missing: ['/products/2/price'],
    });
    expect(sources).toEqual({ '/products': 'microdata' });
  });

  test('in elements that a selector names is read within each of them', async () => {
    const schema = object({
      cards: listOf(
        object({
          id: { type: 'string', 'x-attribute': 'data-id' },
          name: { type: 'string', 'x-selector': 'h2' },
          link: { type: 'string', format: 'uri', 'x-selector': 'a' },
          price: { type: ['number', 'null'], 'x-selector': '.cost' },
        }),
        { 'x-selector': 'article.card' },
      ),
      titles: listOf(text, { 'x-selector': 'h2', maxItems: 2 }),
      next: { type: 'string', format: 'uri', 'x-selector': 'a.next' },
    });
    const { data, unfilled } = await filled('/cards', schema);
    expect(data).toEqual({
      cards: [
        { id: 'one', name: 'one', link: `${site.origin}/c/one`, price: 1299 },
        { id: 'two', name: 'two', link: `${site.origin}/c/two`, price: 5 },
        { id: 'three', name: 'three', link: `${site.origin}/c/three`, price: null },
      ],
      titles: ['one', 'two'],
      next: `${site.origin}/cards?page=2`,
    });
    expect(unfilled).toEqual(['/cards/2/price']);
  });

  test('in a table has its headings as names, and numbers and days as its language writes them', async () => {
    const schema = object({
      states: listOf(
        object({
          country: text,
          population: { type: 'integer' },
          areaKm2: number,
          member_since: { type: 'string', format: 'date' },
          url: { type: 'string', format: 'uri' },
        }),
      ),
      founded: { type: 'string', format: 'date-time' },
      currency: text,
      members: { type: 'integer' },
    });
    const { data, unfilled, sources } = await filled('/table', schema);
    expect(data).toEqual({
      states: [
        {
          country: 'Austria',
          population: 9_200_000,
          areaKm2: 83_879,
          member_since: '2004-05-01',
          url: `${site.origin}/at`,
        },
        {
          country: 'Belgium',
          population: 11_800_000,
          areaKm2: 30_689.5,
          member_since: '1957-03-25',
          url: `${site.origin}/be`,
        },
      ],
      founded: '1993-11-01T00:00:00Z',
      currency: 'Euro',
      members: 27,
    });
    expect(unfilled).toEqual([]);
    expect(sources).toEqual({
      '/states': 'table',
      '/founded': 'table',
      '/currency': 'definitionList',
      '/members': 'definitionList',
    });
  });
});

describe('an article', () => {
  test('that has only OpenGraph gives that, and the rest of its head', async () => {
    const schema = object({
      title: text,
      author: text,
      publishedAt: { type: 'string', format: 'date-time' },
      image: { type: 'string', format: 'uri' },
      tags: listOf(text),
      description: text,
      siteName: text,
      language: { type: 'string', pattern: '^[a-z]{2}' },
      readingTime: { type: 'integer' },
    });
    const { data, unfilled, sources } = await filled('/open-graph', schema);
    expect(data).toEqual({
      title: 'Otters return',
      author: 'Ada Lovelace',
      publishedAt: '2026-03-05T08:30:00+01:00',
      image: `${site.origin}/otter.jpg`,
      tags: ['nature', 'rivers'],
      description: 'They are back.',
      siteName: 'The Post',
      language: 'en-GB',
      readingTime: 5,
    });
    expect(unfilled).toEqual([]);
    expect(sources).toMatchObject({ '/title': 'openGraph', '/author': 'meta', '/readingTime': 'twitter' });
  });

  test('in RDFa is a thing of the kind that the property names', async () => {
    const event = object({
      name: text,
      start: { type: 'string', format: 'date-time' },
      location: object({ name: text }),
    });
    const { data, sources } = await filled('/rdfa', object({ event }));
    expect(data.event).toEqual({
      name: 'Concert',
      start: '2026-05-01T20:00:00+02:00',
      location: { name: 'Old hall' },
    });
    expect(sources['/event/name']).toBe('rdfa');
  });
});

describe('a page that is broken or means harm', () => {
  test('is read as far as it can be', async () => {
    const schema = object({ name: text, sku: text });
    expect((await filled('/broken', schema)).data).toEqual({ name: 'Mended lamp', sku: 'M-1' });
    expect(
      (await filled('/circle', object({ name: text, isRelatedTo: object({ name: text }) }))).data,
    ).toEqual({
      name: 'Round lamp',
      isRelatedTo: { name: 'Other lamp' },
    });
  });

  test('of megabytes is filled from what there is room for', async () => {
    const schema = object({
      name: text,
      sku: text,
      products: listOf(object({ name: text, sku: text })),
    });
    const { data } = await filled('/heavy', schema);
    expect(data).toMatchObject({ name: 'Small lamp', sku: 'S-1' });
    expect(data.products.length).toBeLessThanOrEqual(5000);
  });

  test('changes neither the reader nor what it gives', async () => {
    const schema = object({
      name: text,
      sku: text,
      polluted: text,
      toString: text,
      hasOwnProperty: text,
    });
    const { data, unfilled } = await filled('/poisoned', schema);
    expect(data).toEqual({ name: 'Lamp', toString: 'not a function' });
    expect(unfilled).toEqual(['/sku', '/polluted', '/hasOwnProperty']);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test('cannot be held up by a pattern that never ends: the call says what it was', async () => {
    const schema = object({ name: { type: 'string', pattern: '^(\\w+\\s?)+$' } });
    const html = `<meta property="og:title" content="${'word '.repeat(20)}x!">`;
    const { status, body } = await server.api.call('POST', '/v1/scrape', {
      body: { html, schema, timeoutMs: 3000 },
    });
    expect([status, body.error?.code]).toEqual([504, 'QUICK_ACTION_TIMEOUT']);
    expect(body.error.message).toContain('pattern');
    expect((await filled('/product', object({ name: text }))).data).toEqual({ name: 'Desk lamp' });
  });
});

describe('a schema that cannot be filled is refused with its place', () => {
  const properties = { a: text };
  const twice = { $defs: { a: object({ b: { $ref: '#/$defs/a' } }) }, $ref: '#/$defs/a' };
  test.each([
    ['a list', { type: 'array', items: object(properties) }, '#/type', 'outermost'],
    ['a type that there is not', object({ a: { type: 'text' } }), '#/properties/a/type', 'one of string'],
    ['two types', object({ a: { type: ['string', 'number'] } }), '#/properties/a/type', 'one type'],
    ['a keyword that says too much', object({ a: { not: text } }), '#/properties/a/not', 'not supported'],
    [
      'a reference elsewhere',
      object({ a: { $ref: 'https://example.com/x' } }),
      '#/properties/a/$ref',
      '$defs',
    ],
    ['a reference to itself', twice, '/$ref', 'refers to itself'],
    ['a name that is not there', object({ 'a/b': { pattern: '(' } }), '#/properties/a~1b/pattern', 'regular'],
    ['nothing to look for', { type: 'object' }, '#/properties', 'needs properties'],
    ['a requirement of nothing', object(properties, { required: ['b'] }), '#/required', 'names'],
  ])('%s', async (_, schema, place, reason) => {
    const { code, message } = await refusal(schema);
    expect(code).toBe('VALIDATION_FAILED');
    expect(message).toContain(place);
    expect(message).toContain(reason);
  });

  test('and so is one without end, one beside extract, and a selector that is none', async () => {
    let deep: object = text;
    for (let n = 0; n < 12; n++) deep = object({ a: deep });
    expect((await refusal(deep)).message).toContain('within each other');
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`p${n}`, text]));
    expect((await refusal(object(many))).message).toContain('in all');
    expect((await refusal(object(properties), { extract: { a: { selector: 'p' } } })).message).toContain(
      'extract',
    );
    const bad = await refusal(object({ a: { type: 'string', 'x-selector': 'p[' } }));
    expect(bad.message).toContain('p[');
  });

  test('while local references and optional values are followed', async () => {
    const schema = {
      $defs: { Offer: object({ price: number }, { title: 'Offer' }) },
      ...object({
        offers: { anyOf: [{ $ref: '#/$defs/Offer' }, { type: 'null' }] },
        gone: { anyOf: [text, { type: 'null' }] },
      }),
    };
    const { data, unfilled } = await filled('/product', schema);
    expect({ data, unfilled }).toEqual({
      data: { offers: { price: 1299.5 }, gone: null },
      unfilled: ['/gone'],
    });
  });
});
