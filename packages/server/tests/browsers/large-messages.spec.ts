import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** Pages that make Chromium tell the service of something far larger than it takes. */
const longName = `<!doctype html><title>long name</title><body><script>
const frame = document.createElement('iframe');
frame.name = 'x'.repeat(4 * 1024 * 1024);
document.body.append(frame);
</script>`;

let server: TestServer;
let site: Site;
beforeAll(async () => {
  site = await startSite({ '/long-name': longName });
  server = await startServer({
    BROWSERD_CHROMIUM_MESSAGE_LIMIT: '1MiB',
    BROWSERD_CHECKPOINT_INTERVAL: '50ms',
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const policy = { privateAccess: { localhost: true } };
const run = (id: string, code: string) =>
  server.api.call('POST', `/v1/browsers/${id}/script/execute`, { body: { code } });

test('a page whose frame has a name of megabytes ends its own Chromium, and nothing else', async () => {
  const { api } = server;
  const neighbour = (await api.create({ policy, startUrl: `${site.origin}/` })).body.id;
  const hostile = (await api.create({ policy, startUrl: `${site.origin}/` })).body.id;
  await run(hostile, `await page.goto('${site.origin}/long-name').catch(() => 0)`);

  const reasons = async (): Promise<string[]> => {
    const { body } = await api.call(
      'GET',
      `/v1/browsers/${hostile}/events?type=browser.recovering&limit=100`,
    );
    return body.items.map(({ data }: { data: { reason: string } }) => data.reason);
  };
  const found = await eventually(reasons, (list) => list.length > 0);
  expect(found[0]).toBe('Chromium was ended, because it sent a message of more than 1048576 bytes');

  expect((await api.status(neighbour)).body.activeTab.title).toBe('home');
  expect((await api.get(neighbour)).body).toMatchObject({ status: 'ready', epoch: 1 });
  // its tabs stay closed once they have brought it down twice
  await eventually(
    () => run(hostile, 'return 1 + 1'),
    ({ body }) => body.result === 2,
  );
  expect((await api.status(hostile)).body.tabs).toMatchObject([{ url: 'about:blank' }]);
  await Promise.all([api.remove(neighbour), api.remove(hostile)]);
});
