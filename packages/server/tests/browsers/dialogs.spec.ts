import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, createAsked, later, storedEvents } from '../support/dialog-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let asked: Asked;

beforeAll(async () => {
  site = await startSite({
    '/asks-on': `<title>on</title><script>onload = () => setTimeout(() => { for (;;) alert('again') }, 0)</script>`,
    '/confirms': `<title>confirms</title><script>document.title = 'said ' + confirm('sure?')</script>`,
  });
  server = await startServer();
  asked = await createAsked(server, { dialogs: 'manual', startUrl: `${site.origin}/` });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});

const questions = "return page.evaluate(() => [confirm('sure?'), prompt('name?', 'nobody'), alert('well')])";

describe('a browser answers by its mode', () => {
  test('dismisses by default, and accepts when that is its mode, also when it is changed later', async () => {
    const browser = await createAsked(server);
    expect(await browser.result(questions)).toEqual([false, null, null]);
    expect(await server.api.patch(browser.id, { dialogs: 'accept' })).toMatchObject({
      body: { dialogs: 'accept' },
    });
    expect(await browser.result(questions)).toEqual([true, 'nobody', null]);
    const { items, hasMore, nextCursor } = (await browser.dialogs('?limit=4')).body;
    expect(items[1]).toMatchObject({
      type: 'prompt',
      message: 'name?',
      defaultValue: 'nobody',
      state: 'accepted',
      closedBy: 'mode',
      promptText: 'nobody',
    });
    expect({
      hasMore,
      rest: (await browser.dialogs(`?limit=4&cursor=${nextCursor}`)).body.items,
    }).toMatchObject({
      hasMore: true,
      rest: [
        { type: 'prompt', state: 'dismissed' },
        { type: 'confirm', state: 'dismissed' },
      ],
    });
    await server.api.remove(browser.id);
  });

  test('a script that listens answers its own dialogs, and what it leaves open is answered by the mode', async () => {
    const listening =
      "page.on('dialog', (dialog) => dialog.accept('mine')); return page.evaluate(() => prompt('?'))";
    expect(await asked.result(listening)).toBe('mine');
    expect((await asked.dialogs('?limit=1')).body.items[0]).toMatchObject({
      state: 'accepted',
      closedBy: 'script',
      promptText: 'mine',
    });
    await server.api.patch(asked.id, { dialogs: 'accept' });
    await asked.result(
      `page.on('dialog', () => {}); ${later("confirm('left')")}; await page.waitForEvent('dialog')`,
    );
    expect(await asked.result('return page.evaluate(() => window.said)')).toBe(true);
    await server.api.patch(asked.id, { dialogs: 'manual' });
  });
});

describe('a dialog that waits', () => {
  test('is answered from outside while a script waits for it', async () => {
    const waiting = asked.result("return page.evaluate(() => prompt('name?', 'nobody'))");
    const dialog = await asked.opened();
    const { tabId } = (await server.api.status(asked.id)).body.activeTab;
    expect(dialog).toMatchObject({
      type: 'prompt',
      message: 'name?',
      tabId,
      url: `${site.origin}/`,
      state: 'open',
    });
    expect(await asked.answer(dialog.id, { action: 'accept', promptText: 'Ada' })).toMatchObject({
      status: 200,
      body: { id: dialog.id, state: 'accepted', closedBy: 'caller', promptText: 'Ada' },
    });
    expect(await waiting).toBe('Ada');
    const types = await eventually(
      async () => (await storedEvents(server.dataDir, asked.id)).filter(({ data }) => data.id === dialog.id),
      ({ length }) => length === 2,
    );
    expect(types).toMatchObject([
      { type: 'dialog.opened', data: { message: 'name?' } },
      { type: 'dialog.closed', data: { state: 'accepted', closedBy: 'caller' } },
    ]);
  });

  test('ends the code of a caller that would rather answer it, and waits on for that answer', async () => {
    const code = "await page.evaluate(() => { window.said = prompt('whose?', '') })";
    const { body } = await asked.execute(code, { returnOnDialog: true, timeoutMs: 120_000 });
    const dialog = await asked.opened();
    expect(body.error).toMatchObject({
      code: 'DIALOG_OPEN',
      nextStep: 'handle_dialog',
      details: { dialog: { id: dialog.id, type: 'prompt', message: 'whose?' } },
    });
    expect((await asked.execute('return 1')).body.error.code).toBe('DIALOG_OPEN');
    expect(await asked.answer(dialog.id, { action: 'accept', promptText: 'mine' })).toMatchObject({
      status: 200,
    });
    expect(await asked.result('return page.evaluate(() => window.said)')).toBe('mine');
    const listening = `page.on('dialog', (dialog) => dialog.accept()); return page.evaluate(() => confirm('?'))`;
    expect((await asked.execute(listening, { returnOnDialog: true })).body.result).toBe(true);
  });

  test('is answered once: of two callers the second learns that it is closed', async () => {
    await asked.result(later("confirm('one of us')"));
    const { id } = await asked.opened();
    const both = await Promise.all([
      asked.answer(id, { action: 'accept' }),
      asked.answer(id, { action: 'dismiss' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = both.find(({ status }) => status === 200);
    expect(await asked.result('return page.evaluate(() => window.said)')).toBe(
      winner?.body.state === 'accepted',
    );
    expect(await asked.answer(id, { action: 'accept' })).toMatchObject({
      status: 409,
      body: { error: { code: 'DIALOG_CLOSED', category: 'dialog' } },
    });
  });

  test('takes only an answer that fits', async () => {
    await asked.result(later("confirm('fits?')"));
    const { id } = await asked.opened();
    const wrong = [
      { action: 'accept', promptText: 'x' },
      { action: 'dismiss', promptText: 'x' },
      { action: 'no' },
      {},
    ];
    for (const answer of wrong)
      expect(await asked.answer(id, answer)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_FAILED' } },
      });
    const nobody = `dialog_${'0'.repeat(26)}`;
    for (const other of [nobody, 'nothing'])
      expect(await asked.answer(other, { action: 'accept' })).toMatchObject({
        status: 404,
        body: { error: { code: 'DIALOG_NOT_FOUND' } },
      });
    expect(await asked.answer(id, { action: 'dismiss' })).toMatchObject({ body: { state: 'dismissed' } });
  });

  test('in the way of a script is named in the error of that script, at once', async () => {
    await asked.result(later("alert('in the way')"));
    const dialog = await asked.opened();
    const capture = { status: true, observation: { kind: 'text', includeOn: 'always' }, screenshot: true };
    const { body } = await asked.execute('return page.title()', { capture });
    expect(body).toMatchObject({
      success: false,
      error: {
        code: 'DIALOG_OPEN',
        category: 'dialog',
        nextStep: 'handle_dialog',
        details: { dialog: { id: dialog.id } },
      },
      status: { dialogs: 1, blocker: { state: 'dialog' } },
      observation: { error: { code: 'DIALOG_OPEN' } },
    });
    expect((await server.api.status(asked.id)).body.activeTab.url).toBe(`${site.origin}/`);
    await asked.answer(dialog.id, { action: 'accept' });
    expect(await asked.result('return page.title()')).toBe('home');
  });

  test('outlives the script that opened it and ran out of time', async () => {
    const { body } = await asked.execute("return page.evaluate(() => { window.said = confirm('still?') })", {
      timeoutMs: 6000,
    });
    expect(body.error).toMatchObject({ code: 'DIALOG_OPEN', details: { dialog: { message: 'still?' } } });
    const { id } = await asked.opened();
    expect(await asked.answer(id, { action: 'accept' })).toMatchObject({ status: 200 });
    expect(await asked.result('return page.evaluate(() => window.said)')).toBe(true);
  });

  test('gives way when its page is left, to whatever address', async () => {
    for (const address of [`${site.origin}/other`, 'about:blank', 'data:text/html,<title>here</title>']) {
      const gated = await startSite();
      const leaving = asked.result(`await page.goto('${gated.origin}/'); ${later("alert('stay')")};
        await context.request.get('${gated.origin}/gate'); await page.goto('${address}'); return page.url()`);
      await asked.opened();
      gated.openGate();
      expect(await leaving).toBe(address);
      await gated.close();
      expect((await asked.dialogs('?limit=1')).body.items[0]).toMatchObject({
        message: 'stay',
        state: 'dismissed',
        closedBy: 'navigation',
      });
    }
  });

  test('asks before a page is left', async () => {
    const guarded = `await page.goto('${site.origin}/'); await page.evaluate(() => { onbeforeunload = (event) => event.preventDefault(); }); await page.click('h1');`;
    const away = `return page.goto('${site.origin}/other').then(() => 'left', () => 'stayed')`;
    for (const [action, end] of [
      ['dismiss', 'stayed'],
      ['accept', 'left'],
    ]) {
      const leaving = asked.result(guarded + away);
      const { id, type } = await asked.opened();
      expect(type).toBe('beforeunload');
      await asked.answer(id, { action });
      expect(await leaving).toBe(end);
      // Leaves no guard behind.
      await asked.result('await page.evaluate(() => { onbeforeunload = null; })');
    }
  });

  test('may be of a frame, of another site too, and of a tab in the background', async () => {
    const other = site.origin.replace('127.0.0.1', 'localhost');
    for (const origin of [site.origin, other]) {
      await asked.result(
        `await page.goto('${site.origin}/'); await page.evaluate((src) => { document.body.append(Object.assign(document.createElement('iframe'), { src })); }, '${origin}/alert')`,
      );
      const dialog = await asked.opened();
      expect(dialog).toMatchObject({ message: 'stop', url: `${origin}/alert` });
      await asked.answer(dialog.id, { action: 'accept' });
    }
    const opener = (await server.api.status(asked.id)).body.activeTab.tabId;
    await asked.result("await page.evaluate(() => { open('/alert'); })");
    const dialog = await asked.opened();
    const { body } = await asked.execute('await page.bringToFront()', { tabId: opener });
    expect(body.error).toBeUndefined();
    const { tabs, activeTab } = (await server.api.status(asked.id)).body;
    expect(tabs.map(({ tabId }: { tabId: string }) => tabId)).toContain(dialog.tabId);
    expect(dialog.tabId).not.toBe(activeTab.tabId);
    await asked.answer(dialog.id, { action: 'accept' });
    expect(
      await asked.result(
        'while (context.pages().length < 2) await context.waitForEvent("page"); const titles = await Promise.all(context.pages().map((each) => each.title())); await context.pages()[1].close(); return titles',
      ),
    ).toEqual(['home', 'after alert']);
  });
});

describe('a browser is never wedged', () => {
  test('by a page that leaves while it asks', async () => {
    const hostile =
      "await page.evaluate(() => { location.href = 'about:blank'; setTimeout(() => alert('both'), 0); })";
    const browser = await createAsked(server, { startUrl: `${site.origin}/` });
    await browser.execute(hostile);
    await eventually(
      () => browser.execute("return page.evaluate(() => 'alive')", { timeoutMs: 10_000 }),
      ({ body }) => body.result === 'alive',
    );
    await server.api.remove(browser.id);
  });

  test('by a page that asks without end', async () => {
    const browser = await createAsked(server, { startUrl: `${site.origin}/asks-on` });
    await eventually(
      () => browser.dialogs('?limit=100'),
      ({ body }) => body.items.length >= 50,
    );
    expect((await browser.dialogs('?limit=100')).body.items.length).toBeLessThanOrEqual(51);
    expect(await server.api.status(browser.id)).toMatchObject({ status: 200 });
    await server.api.remove(browser.id);
    const events = await storedEvents(server.dataDir, browser.id);
    expect(events.filter(({ type }) => type === 'dialog.opened').length).toBeLessThanOrEqual(110);
  });

  test('by a dialog that is forgotten', async () => {
    await using hasty = await startServer({
      BROWSERD_DIALOG_TIMEOUT: '300ms',
    });
    const browser = await createAsked(hasty, { dialogs: 'manual', startUrl: `${site.origin}/alert` });
    await eventually(
      () => hasty.api.status(browser.id),
      ({ body }) => body.activeTab.title === 'after alert',
    );
    expect((await browser.dialogs()).body.items).toMatchObject([{ state: 'dismissed', closedBy: 'timeout' }]);
  });
});

describe('with a dialog open, a browser', () => {
  test('is stopped and resumed, and remembers the dialog as dismissed', async () => {
    const { api } = server;
    const browser = await createAsked(server, { dialogs: 'manual', startUrl: `${site.origin}/confirms` });
    const { id } = await browser.opened();
    expect(await api.stop(browser.id)).toMatchObject({
      status: 200,
      body: { status: 'stopped', dialogs: 'manual' },
    });
    const closed = { id, state: 'dismissed', closedBy: 'browser' };
    expect((await browser.dialogs()).body.items).toMatchObject([closed]);
    expect(await browser.answer(id, { action: 'accept' })).toMatchObject({
      status: 409,
      body: { error: { code: 'BROWSER_NOT_READY' } },
    });
    expect(await api.resume(browser.id)).toMatchObject({ status: 200 });
    // the page is loaded again, and asks again
    const again = await browser.opened();
    expect((await browser.dialogs()).body.items).toMatchObject([{ id: again.id, state: 'open' }, closed]);
    expect(await browser.answer(id, { action: 'accept' })).toMatchObject({
      status: 409,
      body: { error: { code: 'DIALOG_CLOSED' } },
    });
    await browser.answer(again.id, { action: 'accept' });
    await eventually(
      () => api.status(browser.id),
      ({ body }) => body.activeTab.title === 'said true',
    );
    await api.remove(browser.id);
  });

  test('is closed', async () => {
    const browser = await createAsked(server, { dialogs: 'manual', startUrl: `${site.origin}/alert` });
    await browser.opened();
    expect(await server.api.remove(browser.id)).toMatchObject({ status: 200, body: { status: 'closed' } });
    expect(await browser.dialogs()).toMatchObject({
      status: 409,
      body: { error: { code: 'BROWSER_NOT_READY' } },
    });
  });
});
