import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createVisitor, type Visitor } from '../support/captcha-client.ts';
import { mentions, strangers, widgets } from '../support/captcha-pages.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

/** What is seen of captchas, on pages made of the elements that real ones put there. */
const paths = <T>(all: Record<string, T>, html: (page: T) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(all).map(([name, page]) => [`/${encodeURIComponent(name)}`, html(page)]));

let server: TestServer;
let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await startSite({
    ...paths(widgets, ({ html }) => html),
    ...paths(strangers, ({ html }) => html),
    ...paths(mentions, (html) => html),
    '/noted': widgets['friendly-captcha']?.html.replace('FCMTESTKEY', 'FCMTOLDKEY') ?? '',
    // waits for an answer that never comes, and does nothing else meanwhile
    '/stuck': `<!doctype html><title>stuck</title><script>setTimeout(() => {
      const request = new XMLHttpRequest();
      request.open('GET', '/gate', false);
      request.send();
    }, 50)</script>`,
    '/framed':
      '<!doctype html><title>framed</title><iframe src="/hcaptcha" width="600" height="400"></iframe>',
  });
  server = await startServer();
  visitor = await createVisitor(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const see = async (name: string) => {
  await visitor.open(`${site.origin}/${encodeURIComponent(name)}`);
  const { status, body } = await visitor.captcha();
  expect(status).toBe(200);
  return body;
};

describe('what is on the page is found', () => {
  test.each(Object.keys(widgets))('%s', async (name) => {
    const { items } = await see(name);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      ...widgets[name]?.expected,
      pageUrl: expect.stringContaining(site.origin),
    });
    expect(items[0].evidence.length).toBeGreaterThan(0);
  });

  test.each(Object.keys(strangers))('%s, of which nothing is known, as unknown', async (name) => {
    const { state, items } = await see(name);
    expect({ state, types: items.map(({ type }: { type: string }) => type) }).toEqual({
      state: 'detected',
      types: ['unknown'],
    });
    expect(items[0].evidence.length).toBeGreaterThan(0);
  });

  test('in a frame, also of another process', async () => {
    await visitor.open(`${site.origin}/framed`);
    // A page is parsed before its frames are there.
    const shown = await eventually(visitor.captcha, ({ body }) => body.items.length > 0);
    const { items } = shown.body;
    expect(items).toMatchObject([{ type: 'hcaptcha', category: 'form' }]);
    expect(items[0].frameId).not.toBe(items[0].tabId);
    const elsewhere = `${site.origin.replace('127.0.0.1', 'localhost')}/recaptcha-v2`;
    await visitor.run(
      `await page.setContent('<p>hello</p>');
      await page.evaluate((src) => { const frame = document.createElement('iframe'); frame.src = src; document.body.append(frame); return new Promise((resolve) => { frame.onload = () => resolve(1); }); }, args)`,
      elsewhere,
    );
    const { body } = await visitor.captcha();
    expect(body.items).toMatchObject([{ type: 'recaptcha-v2', category: 'form', state: 'detected' }]);
  });
});

describe('what only speaks of captchas is none', () => {
  test.each(Object.keys(mentions))('%s', async (name) => {
    expect(await see(name)).toEqual({ state: 'none', items: [] });
  });
});

describe('what is seen is noted', () => {
  test('once for each page, and when the page shows that it is solved', async () => {
    await see('noted');
    await visitor.captcha();
    const mine = async (type: string) =>
      (await visitor.events(type)).filter(({ sitekey }) => sitekey === 'FCMTOLDKEY').length;
    await eventually(
      () => mine('captcha.detected'),
      (count) => count > 0,
    );
    const [first] = (await visitor.captcha()).body.items;
    await visitor.run(`await page.evaluate(() => {
      document.querySelector('[name=frc-captcha-solution]').value = 'signed.puzzle.solution.x';
      document.querySelector('.frc-container').className = 'frc-container frc-success';
    })`);
    const { body } = await visitor.captcha();
    expect(body).toMatchObject({
      state: 'solved',
      items: [{ state: 'solved', detectedAt: first.detectedAt }],
    });
    expect(body.items[0].resolvedAt).toBeDefined();
    await eventually(
      () => mine('captcha.solved'),
      (count) => count === 1,
    );
    expect(await mine('captcha.detected')).toBe(1);
  });

  test('in the status of a script', async () => {
    const execute = async (path: string) => {
      const answer = await server.api.call('POST', `/v1/browsers/${visitor.id}/script/execute`, {
        body: { code: 'await page.goto(args)', args: `${site.origin}/${path}`, capture: { status: true } },
      });
      return answer.body.status;
    };
    expect(await execute('image')).toMatchObject({ captcha: { state: 'detected' } });
    expect(await execute('article')).toMatchObject({ captcha: { state: 'none' } });
  });
});

test('a tab that is not there, and a browser that is stopped, are named', async () => {
  expect(await visitor.captcha('?tabId=nothing')).toMatchObject({
    status: 404,
    body: { error: { code: 'TAB_NOT_FOUND' } },
  });
  const other = await createVisitor(server);
  await server.api.stop(other.id);
  expect(await other.captcha()).toMatchObject({
    status: 409,
    body: { error: { code: 'BROWSER_NOT_READY' } },
  });
  await server.api.remove(other.id);
});

test('a dialog in the way is named', async () => {
  const asked = await createVisitor(server, { dialogs: 'manual', startUrl: `${site.origin}/alert` });
  await eventually(
    () => asked.captcha(),
    ({ body }) => body.error?.code === 'DIALOG_OPEN',
  );
  await server.api.remove(asked.id);
});

test('a page that never comes back is not waited for', async () => {
  const stuck = await createVisitor(server, { startUrl: `${site.origin}/stuck` });
  await eventually(
    () => stuck.captcha(),
    ({ status }) => status === 504,
  );
  await server.api.remove(stuck.id);
});
