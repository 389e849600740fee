import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** Pages that make Chromium tell the service of something far larger than it takes. */
const longName = `<!doctype html><title>long name</title><body><script>
const frame = document.createElement('iframe');
frame.name = 'x'.repeat(4 * 1024 * 1024);
document.body.append(frame);
</script>`;

/** Whatever a page may write about itself and its parts, each longer than a message may be. */
const longAttributes = `<!doctype html><html><head><title>long attributes</title><meta><link rel=canonical><link rel=icon>
<link rel=alternate type="application/rss+xml"></head><body><main><h2>A heading</h2><p>Its text.</p><a>a link</a><a><img></a>
<img src="/picture.png"><form><input><select><option>one</select></form><table><tr><td>a<td>b<tr><td>c<td>d</table></main><script>
const long = 'x'.repeat(1200 * 1024);
const written = {
  html: 'lang', meta: 'name content', h2: 'id', link: 'href', a: 'title href', img: 'alt', form: 'id method action', input: 'name placeholder', option: 'value',
};
for (const [tag, names] of Object.entries(written))
  for (const element of document.querySelectorAll(tag))
    for (const name of names.split(' ')) element.setAttribute(name, (/href|action/.test(name) ? '/' : '') + long);
</script>`;

let server: TestServer;
let site: Site;
beforeAll(async () => {
  site = await startSite({ '/long-name': longName, '/long-attributes': longAttributes });
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

test('a page whose language, names and addresses have megabytes is scraped, and they are cut', async () => {
  const { api } = server;
  const { id } = (await api.create({ policy, startUrl: `${site.origin}/` })).body;
  const include = ['links', 'headings', 'forms', 'images', 'metadata', 'tables'];
  const asked = { url: `${site.origin}/long-attributes`, include };
  for (const [path, body] of [
    ['/v1/scrape', { ...asked, policy }],
    [`/v1/browsers/${id}/scrape`, asked],
  ] as const) {
    const answer = await api.call('POST', path, { body });
    expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined]);
    const { content, metadata, headings, forms } = answer.body;
    expect(content).toContain('Its text.');
    expect(metadata.language).toBe('x'.repeat(1000));
    expect(metadata.canonical).toBeUndefined();
    expect(headings).toMatchObject([{ text: 'A heading', id: 'x'.repeat(1000) }]);
    expect(forms[0].fields[0].name).toHaveLength(1000);
    expect(JSON.stringify(answer.body).length).toBeLessThan(100_000);
  }
  expect((await api.get(id)).body).toMatchObject({ status: 'ready', epoch: 1 });
  await api.remove(id);
});
