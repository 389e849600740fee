import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bare, startBare } from '../../conformance/bare.ts';
import { allChecks, compare } from '../../conformance/compare.ts';
import { denials } from '../../conformance/denials.ts';
import { shortForm } from '../../conformance/short-form.ts';
import { type ConformanceSite, startConformanceSite } from '../../conformance/site.ts';
import { tableOf, verdictOf } from '../../conformance/verdict.ts';
import { capability } from '../support/cdp-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The short form of `npm run conformance`: one engine, and of each area what is most likely to break. */
let server: TestServer;
let site: ConformanceSite;
let bare: Bare;
let ours: string;

beforeAll(async () => {
  [server, site, bare] = await Promise.all([startServer(), startConformanceSite(), startBare('shell')]);
  const { id } = (await server.api.create({ policy: { privateAccess: { localhost: true } } })).body;
  ours = await capability(server.api, id, { ttlSeconds: 3600 });
});
afterAll(async () => {
  await bare[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test.each(shortForm)('%s: as at a bare Chromium, but for the denials', async (check) => {
  const results = await compare({ engine: 'shell', bare: bare.url, ours, site }, (each) => each === check);
  expect(results.map((result) => result.check)).toEqual([check]);
  const wrong = results.filter((result) => !['same', 'meant'].includes(verdictOf(result, denials)));
  expect(tableOf(wrong, denials)).toBe('');
});

test('every denial is of a check that exists, and is told under its heading in docs/cdp.md', () => {
  const page = readFileSync(new URL('../../../../docs/cdp.md', import.meta.url), 'utf8');
  const headings = [...page.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading);
  expect(denials.filter(({ check }) => !allChecks.includes(check))).toEqual([]);
  expect(denials.filter(({ heading }) => !headings.includes(heading))).toEqual([]);
  expect(allChecks.length).toBeGreaterThanOrEqual(120);
});

test('a difference counts unless it is meant, and so does a denial that no longer differs', () => {
  const row = { check: 'area: check', heading: 'Heading', engine: 'full' as const };
  const result = { check: 'area: check', engine: 'full' as const, bare: [1], ours: [2] };
  expect(verdictOf(result, [])).toBe('different');
  expect(verdictOf(result, [row])).toBe('meant');
  expect(verdictOf({ ...result, engine: 'shell' }, [row])).toBe('different');
  expect(verdictOf({ ...result, ours: [1] }, [row])).toBe('no longer different');
  expect(verdictOf({ ...result, ours: [1] }, [])).toBe('same');
});
