import { isIPv4, isIPv6 } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

/** HAR 1.2 as http://www.softwareishard.com/blog/har-12-spec/ has it: what is required, and of which type it is. */
const text = { type: 'string' };
const whole = { type: 'integer', minimum: -1 };
const ms = { type: 'number', minimum: -1 };
const time = { type: 'string', format: 'date-time' };
const list = (items: object) => ({ type: 'array', items });
/** Fields of makers' own begin with an underscore. */
const object = (properties: object, optional: object = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional, comment: text },
  required: Object.keys(properties),
  patternProperties: { '^_': {} },
  additionalProperties: false,
});

const pair = object({ name: text, value: text });
const cookie = object(
  { name: text, value: text },
  { path: text, domain: text, expires: time, httpOnly: { type: 'boolean' }, secure: { type: 'boolean' } },
);
const maker = object({ name: text, version: text });
const schema = object({
  log: object(
    {
      version: { const: '1.2' },
      creator: maker,
      entries: list(
        object(
          {
            startedDateTime: time,
            time: { type: 'number', minimum: 0 },
            request: object(
              {
                method: text,
                url: { type: 'string', format: 'uri' },
                httpVersion: text,
                cookies: list(cookie),
                headers: list(pair),
                queryString: list(pair),
                headersSize: whole,
                bodySize: whole,
              },
              { postData: object({ mimeType: text, text }, { params: list(pair) }) },
            ),
            response: object({
              status: whole,
              statusText: text,
              httpVersion: text,
              cookies: list(cookie),
              headers: list(pair),
              content: object(
                { size: whole, mimeType: text },
                { text, encoding: text, compression: { type: 'integer' } },
              ),
              redirectURL: text,
              headersSize: whole,
              bodySize: whole,
            }),
            cache: object({}),
            timings: object(
              {
                send: { type: 'number', minimum: 0 },
                wait: { type: 'number', minimum: 0 },
                receive: { type: 'number', minimum: 0 },
              },
              { blocked: ms, dns: ms, connect: ms, ssl: ms },
            ),
          },
          {
            pageref: text,
            serverIPAddress: { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] },
            connection: text,
          },
        ),
      ),
    },
    {
      browser: maker,
      pages: list(
        object({
          startedDateTime: time,
          id: text,
          title: text,
          pageTimings: object({}, { onContentLoad: ms, onLoad: ms }),
        }),
      ),
    },
  ),
});

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addFormat('ipv4', isIPv4);
ajv.addFormat('ipv6', isIPv6);
const validate = ajv.compile(schema);

/** It is one, and each entry belongs to a page that is there. */
// biome-ignore lint/suspicious/noExplicitAny: whatever came back
export function expectHar(har: any): void {
  validate(har);
  expect(validate.errors ?? []).toEqual([]);
  const pages = new Set(har.log.pages.map(({ id }: { id: string }) => id));
  for (const { pageref } of har.log.entries) if (pageref) expect(pages).toContain(pageref);
}
