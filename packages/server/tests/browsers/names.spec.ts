import { expect, test } from 'vitest';
import { startNameServer } from '../../src/egress/way/name-server.fixture.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

test('names that never resolve, asked by one page, keep no other browser from its own', async () => {
  const site = await startSite();
  using names = await startNameServer({ 'site.test': '127.0.0.1' });
  await using server = await startServer({ BROWSERD_DNS_SERVERS: names.address });
  const policy = { privateAccess: { localhost: true } };
  const { body: attacker } = await server.api.create({ policy, startUrl: `${site.origin}/` });
  const { body: victim } = await server.api.create({ policy });
  const flood = `return page.evaluate(() => { for (let i = 0; i < 300; i++) fetch('http://n' + i + '.slow/', { mode: 'no-cors' }).catch(() => 0); })`;
  expect((await scriptClient(server, attacker.id).execute(flood)).body.success).toBe(true);
  await expect.poll(() => names.asked.filter((name) => name.endsWith('.slow')).length).toBeGreaterThan(0);

  const visit = `await page.goto('http://site.test:${site.port}/other'); return page.title()`;
  expect((await scriptClient(server, victim.id).execute(visit)).body).toMatchObject({ result: 'other' });
  await server.api.remove(attacker.id);
  await site.close();
});
