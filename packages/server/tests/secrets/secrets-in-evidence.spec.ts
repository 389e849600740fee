import { afterAll, beforeAll, expect, test } from 'vitest';
import { masked } from '../../src/kit/mask-headers.ts';
import { expectNoSecret, password, type SecretWorld, secretWorld } from '../support/secret-client.ts';
import { entriesOf, eventsIn } from '../support/trace-client.ts';
import { unzip } from '../support/zip.ts';

/** A trace and a bundle hold what pages showed and sent; what a secret held is in none of it. */
let world: SecretWorld;
beforeAll(async () => {
  world = await secretWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const code = `
  await page.goto(args.url);
  await secrets.fill(page.locator('#password'), 'shop/password');
  await secrets.fill(page.locator('#shown'), 'shop/password');
  console.log(await page.inputValue('#shown'));
  await page.evaluate(() => { document.body.append(document.querySelector('#shown').value); console.error(document.querySelector('#shown').value); });
  await page.locator('#password').click();
  await page.locator('#go').click();
  await page.waitForURL('**/session');
  await page.request.get(args.url, { headers: { authorization: 'Bearer abcdefgh', 'x-api-key': 'ijklmnop' } });
  throw new Error('at the end');`;

/** Everything in it, also in archives in it, each byte a letter. */
const textOf = (entries: Map<string, Buffer>): string =>
  [...entries]
    .map(([name, data]) => (name.endsWith('.zip') ? textOf(unzip(data)) : data.toString('latin1')))
    .join('\n');

test('a secret that was typed, sent and shown is in no part of a trace or a bundle', async () => {
  const args = { url: `${world.site.origin}/login` };
  const capture = { bundle: 'error' };
  const { body } = await world.scripts.execute(code, { trace: true, capture, args });
  expect(body.error).toMatchObject({ message: 'at the end' });
  expect(world.site.posted.at(-1)?.body).toContain(new URLSearchParams({ password }).toString());
  const trace = await entriesOf(world.api, world.browserId, body.trace);
  const bundle = await entriesOf(world.api, world.browserId, body.bundle);
  expect([...bundle.keys()]).toContain('trace.zip');
  for (const entries of [trace, bundle]) {
    const text = textOf(entries);
    expect(text).toContain(Buffer.from(masked).toString('latin1'));
    expectNoSecret(text);
    expectNoSecret(Buffer.from(text, 'latin1').toString('utf8'));
  }
});

test('headers and cookies that carry credentials are masked in a trace', async () => {
  const args = { url: `${world.site.origin}/login` };
  const credentials = `
    await context.addCookies([{ name: 'sid', value: 'cookie-of-mine', url: args.url }]);
    await page.setExtraHTTPHeaders({ Authorization: 'Bearer qrstuvwx' });`;
  const { body } = await world.scripts.execute(credentials + code, { trace: true, args });
  const entries = await entriesOf(world.api, world.browserId, body.trace);
  const network = JSON.stringify(eventsIn(entries, 'trace.network'));
  expect(network.toLowerCase()).toContain('"authorization"');
  expect(network.toLowerCase()).toContain('"cookie"');
  const recorded = network + JSON.stringify(eventsIn(entries));
  expect(recorded).not.toMatch(/abcdefgh|ijklmnop|qrstuvwx|cookie-of-mine/);
});
