import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RulesSite, startRulesSite } from '../support/rules-site.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: RulesSite;
let folder: string;
const ads = [
  '! a comment',
  '||ads.localhost^',
  '||banner.localhost^$third-party',
  '/pixel.$image',
  '@@||ads.localhost^*fine',
  'shop.localhost##.advert',
];
beforeAll(async () => {
  site = await startRulesSite();
  folder = await mkdtemp(join(tmpdir(), 'browserd-lists-'));
  await mkdir(join(folder, 'lists'));
  await writeFile(join(folder, 'lists', 'ads.txt'), ads.join('\n'));
  await writeFile(join(folder, 'lists', 'notes.md'), '||shop.localhost^');
  await writeFile(join(folder, 'Trackers.txt'), '||track.localhost^');
  server = await startServer({
    BROWSERD_FILTER_LISTS: `${join(folder, 'lists')},${join(folder, 'Trackers.txt')}`,
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const open = { privateAccess: { localhost: true } };

describe.each(['shell', 'full'])('lists in the engine %s', (engine) => {
  test('block what their filters name, unless a rule allows it, and are counted', async () => {
    const rules = [{ match: { url: '*/wanted' }, do: { action: 'allow' } }];
    const policy = { ...open, lists: ['ads', 'trackers'], rules };
    const { body } = await server.api.create({ engine, policy });
    const script = scriptClient(server, body.id);
    const got = await script.resultOf(
      `await page.goto(${JSON.stringify(site.at('shop', '/'))});
       return page.evaluate((urls) => Promise.all(urls.map((url) => fetch(url).then(() => 'there', () => 'blocked'))), ${JSON.stringify(
         [
           ...[
             site.at('ads', '/x'),
             site.at('deep.ads', '/x'),
             site.at('ads', '/fine'),
             site.at('ads', '/wanted'),
           ],
           ...[
             site.at('banner', '/x'),
             site.at('track', '/x'),
             site.at('shop', '/x'),
             site.at('shop', '/pixel.gif'),
           ],
         ],
       )})`,
    );
    expect(got).toEqual([
      ...['blocked', 'blocked', 'there', 'there'],
      ...['blocked', 'blocked', 'there', 'there'],
    ]);
    const own = await script.resultOf(
      `await page.goto(${JSON.stringify(site.at('banner', '/'))}); return page.evaluate(() => document.body.innerText)`,
    );
    expect(own).toBe('here is banner /');
    const { ruleHits } = (await server.api.get(body.id)).body;
    expect(ruleHits).toEqual({ rules: [1], lists: { ads: 3, trackers: 1 } });
    await server.api.remove(body.id);
  });
});

test('a list that does not exist is refused, and the error names those that do', async () => {
  const { status, body } = await server.api.create({ policy: { lists: ['adds'] } });
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(body.error.message).toContain('ads, trackers');
  const scraped = await server.api.call('POST', '/v1/scrape', {
    body: { url: site.at('shop', '/'), policy: { ...open, lists: ['adds'] } },
  });
  expect(scraped.body.error.code).toBe('VALIDATION_FAILED');
});

test('a quick action has lists, too', async () => {
  const { body } = await server.api.call('POST', '/v1/scrape', {
    body: { url: site.at('track', '/'), policy: { ...open, lists: ['trackers'] } },
  });
  expect(body.error).toMatchObject({
    code: 'NAVIGATION_FAILED',
    details: { reason: 'ERR_BLOCKED_BY_CLIENT' },
  });
});
