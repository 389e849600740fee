import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeKey } from '../support/keys.ts';
import { createDatabase } from '../support/postgres.ts';
import { scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { startSite } from '../support/site.ts';

/** How far into private networks the operator lets callers go. */
const unset = { BROWSERD_PRIVATE_ACCESS: undefined };
const localhost = { privateAccess: { localhost: true } };

const asked = async ({ api }: TestServer, privateAccess: object): Promise<[number, string | undefined]> => {
  const { status, body } = await api.create({ policy: { privateAccess } });
  if (status === 201) await api.remove(body.id);
  return [status, body.error?.details.field];
};

/** The database of the suite listens on a socket file only. */
async function overTcp(socketFile: string): Promise<number> {
  const relay = createServer((client) => {
    const database = connect(socketFile);
    client.on('error', () => database.destroy()).pipe(database);
    database.on('error', () => client.destroy()).pipe(client);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => void relay.close());
  return (relay.address() as AddressInfo).port;
}

test('left unset it is this machine while there is one project, and nothing from the second on', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  await using server = await startServer(unset);
  const { api, dataDir } = server;
  const { body: early } = await api.create({ policy: localhost, startUrl: `${site.origin}/early` });
  expect((await api.status(early.id)).body.activeTab.url).toBe(`${site.origin}/early`);

  await makeKey(dataDir, { project: 'second', role: 'member' });
  const refused = await api.create({ policy: localhost });
  expect(refused).toMatchObject({
    status: 403,
    body: {
      error: {
        code: 'POLICY_NOT_ALLOWED',
        details: { field: 'policy.privateAccess.localhost', allowed: 'nothing private' },
      },
    },
  });
  expect((await api.patch(early.id, { policy: localhost })).body.error.code).toBe('POLICY_NOT_ALLOWED');
  const quick = await api.call('POST', '/v1/scrape', { body: { url: site.origin, policy: localhost } });
  expect(quick.body.error.code).toBe('POLICY_NOT_ALLOWED');

  // What was allowed once is not for ever: it holds until the browser is started anew.
  await api.stop(early.id);
  await api.resume(early.id);
  const seen = site.requests.length;
  const { execute } = scriptClient(server, early.id);
  const { body } = await execute(`return (await context.request.get('${site.origin}/late')).status()`);
  expect(body.result).toBe(403);
  expect(site.requests.slice(seen).map(({ url }) => url)).not.toContain('/late');
});

test('the operator says how far', async () => {
  await using server = await startServer({ BROWSERD_PRIVATE_ACCESS: '10.0.0.0/8, corp.example' });
  expect(await asked(server, { cidrs: ['10.1.0.0/16'], domains: ['wiki.corp.example'] })).toEqual([
    201,
    undefined,
  ]);
  expect(await asked(server, { cidrs: ['10.1.0.0/16', '192.168.0.0/16'] })).toEqual([
    403,
    'policy.privateAccess.cidrs.1',
  ]);
  expect(await asked(server, { localhost: true })).toEqual([403, 'policy.privateAccess.localhost']);
});

test('a project may have a ceiling of its own, which also holds where its browsers dial', async () => {
  const site = await startSite();
  onTestFinished(() => site.close());
  await using server = await startServer({ BROWSERD_PRIVATE_ACCESS: '10.0.0.0/8,shop=localhost' });
  const shop = server.api.as(await makeKey(server.dataDir, { project: 'shop', role: 'member' }));
  const startUrl = `${site.origin}/shop`;
  const { body: browser } = await shop.create({ policy: localhost, startUrl });
  expect((await shop.status(browser.id)).body.activeTab.url).toBe(startUrl);
  const { body: refused } = await shop.create({ policy: { privateAccess: { cidrs: ['10.1.0.0/16'] } } });
  expect(refused.error.details).toMatchObject({
    field: 'policy.privateAccess.cidrs.0',
    allowed: 'localhost',
  });
  const { status } = await shop.call('POST', '/v1/scrape', { body: { url: startUrl, policy: localhost } });
  expect(status).toBe(200);
  expect(await asked(server, { localhost: true })).toEqual([403, 'policy.privateAccess.localhost']);
  expect(await asked(server, { cidrs: ['10.1.0.0/16'] })).toEqual([201, undefined]);
});

test('the database of the service is out of reach, whatever the policy opens', async () => {
  const database = new URL(await createDatabase(inject('postgresUrl')));
  const port = await overTcp(`${database.searchParams.get('host')}/.s.PGSQL.5432`);
  const url = `postgres://postgres@127.0.0.1:${port}${database.pathname}`;
  await using server = await startServer({
    BROWSERD_DATABASE_URL: url,
    BROWSERD_PRIVATE_ACCESS: 'localhost',
  });
  const privateAccess = {
    localhost: true,
    cidrs: ['127.0.0.0/8'],
    domains: ['localhost'],
    ports: [port, 5432],
  };
  const { body: browser } = await server.api.create({ policy: { privateAccess } });
  const { execute } = scriptClient(server, browser.id);
  const { body } = await execute(
    `const ask = (host) => context.request.get('http://' + host + ':${port}/').then(async (it) => it.headers()['x-browserd-refused'], (error) => String(error));
     return Promise.all(['127.0.0.1', 'localhost', '127.1.2.3', '[::1]', '[::ffff:127.0.0.1]'].map(ask));`,
    { capture: { activity: true } },
  );
  expect(body.error).toBeUndefined();
  expect(new Set(body.result)).toEqual(new Set(['own_listener']));
  const tunnels = body.activity.filter(({ type }: { type: string }) => type === 'policy_blocked');
  expect(new Set(tunnels.map(({ rule }: { rule: string }) => rule))).toEqual(new Set(['own_listener']));
});
