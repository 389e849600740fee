import { expect, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import type { Api } from '../support/client.ts';
import { makeFolders, startServer, untilStatus } from '../support/server.ts';
import { startSite } from '../support/site.ts';

test('a browser that is up each time the service dies comes back, then without its tabs, then not at all', async () => {
  const site = await startSite();
  await using folders = await makeFolders();
  /** A service that is killed leaves its browsers ready, with what was saved of them. */
  const die = async (service: { close(): Promise<void> }, id: string): Promise<void> => {
    await service.close();
    const store = await openStore({ databaseUrl: null, dataDir: folders.dataDir });
    await store.browsers.change(id, { status: 'stopped' }, { status: 'ready' });
    await store.close();
  };
  const tabsOf = async (api: Api, id: string) => {
    await untilStatus(api, id, 'ready');
    return (await api.status(id)).body.tabs.map(({ url }: { url: string }) => url);
  };

  let { api, service } = await startServer(folders.env);
  const policy = { privateAccess: { localhost: true } };
  const { id } = (await api.create({ policy, startUrl: `${site.origin}/bad` })).body;
  await die(service, id);
  ({ api, service } = await startServer(folders.env));
  expect(await tabsOf(api, id)).toEqual([`${site.origin}/bad`]);
  await die(service, id);
  ({ api, service } = await startServer(folders.env));
  expect(await tabsOf(api, id)).toEqual(['about:blank']);
  await die(service, id);
  ({ api, service } = await startServer(folders.env));
  const { body } = await untilStatus(api, id, 'failed');
  expect(body.statusReason).toContain('The service died 3 times while this browser was up');
  await service.close();
  await site.close();
});
