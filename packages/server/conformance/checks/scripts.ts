/** Code of the client in pages, functions of the client, the console and errors that are not caught. */
import type { ConsoleMessage } from 'playwright-core';
import { type Checks, failureOf } from '../check.ts';

export const scripts: Checks = {
  'init scripts run first, in order, in frames too': async ({ page, context, site }) => {
    await context.addInitScript('window.order = ["context"]');
    await page.addInitScript('window.order.push("page")');
    await page.goto(`${site.origin}/frames`);
    return Promise.all(
      page.frames().map(async (frame) => [new URL(frame.url()).pathname, await frame.evaluate('order')]),
    );
  },
  'init scripts with an argument': async ({ page, site }) => {
    await page.addInitScript(
      (given: unknown) => {
        (globalThis as Record<string, unknown>).fromInit = JSON.stringify(given);
      },
      { a: [1, 'two'] },
    );
    await page.goto(`${site.origin}/init`);
    return page.title();
  },
  'functions of a client': async ({ page, site }) => {
    await page.exposeFunction('plus', (a: number, b: number) => a + b);
    await page.exposeFunction('fails', () => {
      throw new RangeError('too much');
    });
    await page.goto(`${site.origin}/plain`);
    return page.evaluate(
      "Promise.all([plus(1, 2), fails().catch((error) => error.name + ': ' + error.message)])",
    );
  },
  'a client knows who calls its function': async ({ page, site }) => {
    await page.exposeBinding('where', ({ frame, page: from }) => [frame.name(), from === page]);
    await page.goto(`${site.origin}/frames`);
    return page.frame('first')?.evaluate('where()');
  },
  'values of every kind come back': async ({ page }) =>
    page
      .evaluate(
        "[1, -0, NaN, Infinity, null, true, 'ü', [1, [2]], { a: { b: 1 } }, 10n].map((value) => Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? value + 'n' : value)",
      )
      .then((values) =>
        (values as unknown[]).map((value) => (typeof value === 'number' ? String(value) : value)),
      ),
  'dates, errors and expressions come back': async ({ page }) => {
    const [date, error, expression, address] = (await page.evaluate(
      "[new Date(0), new TypeError('typed'), /a+/gi, new URL('http://a.test/')]",
    )) as [Date, Error, RegExp, URL];
    return [date.toISOString(), `${error.name}: ${error.message}`, String(expression), String(address)];
  },
  'handles of objects': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const handle = await page.evaluateHandle('({ list: [1, 2], node: document.body })');
    const properties = [...(await handle.getProperties()).keys()];
    const node = (await handle.getProperty('node')).asElement();
    return [properties, await node?.evaluate('(node) => node.tagName'), String(handle)];
  },
  'an error in a page': async ({ page }) =>
    failureOf(page.evaluate("(() => { throw new TypeError('from the page') })()")),
  'a promise that a page rejects': async ({ page }) =>
    failureOf(page.evaluate("Promise.reject('just words')")),
  'scripts and styles that a client adds': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    await page.addScriptTag({ content: 'window.added = 1' });
    await page.addScriptTag({ url: '/script.js' });
    await page.addStyleTag({ content: 'p { color: rgb(1, 2, 3) }' });
    return page.evaluate("[window.added, typeof used, getComputedStyle(document.querySelector('p')).color]");
  },
  'a page that forbids scripts': async ({ page, site }) => {
    await page.goto(`${site.origin}/strict`);
    return [
      await page.evaluate('1 + 1'),
      await failureOf(page.addScriptTag({ content: 'window.added = 1' })),
    ];
  },
  'the console of a page': async ({ page, site }) => {
    const messages: ConsoleMessage[] = [];
    page.on('console', (message) => messages.push(message));
    await page.goto(`${site.origin}/talks`);
    return Promise.all(
      messages.map(async (message) => [
        message.type(),
        message.text(),
        new URL(message.location().url).pathname,
        message.location().lineNumber,
        await Promise.all(message.args().map((arg) => arg.jsonValue())),
      ]),
    );
  },
  'what Chromium itself says in the console': async ({ page, site }) => {
    const [message] = await Promise.all([
      page.waitForEvent('console'),
      page.setContent(`<img src="${site.origin}/no-such-picture">`),
    ]);
    return [message.type(), message.text()];
  },
  'errors that are not caught': async ({ page, site }) => {
    const [error] = await Promise.all([page.waitForEvent('pageerror'), page.goto(`${site.origin}/throws`)]);
    return [error.name, error.message];
  },
  'promises that are not caught': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const [error] = await Promise.all([
      page.waitForEvent('pageerror'),
      page.evaluate("void Promise.reject(new RangeError('rejected'))"),
    ]);
    return [error.name, error.message];
  },
  'waiting for a condition': async ({ page }) => {
    await page.setContent(
      "<script>setTimeout(() => { document.body.append('late'); window.late = 7 }, 50)</script><body>",
    );
    return (await page.waitForFunction('window.late')).jsonValue();
  },
  'the clock of a page': async ({ page, site }) => {
    await page.clock.install({ time: new Date('2030-01-01T00:00:00Z') });
    await page.goto(`${site.origin}/plain`);
    await page.clock.pauseAt(new Date('2030-01-01T01:00:00Z'));
    await page.evaluate('window.rang = 0; setTimeout(() => { rang = 1 }, 60000)');
    await page.clock.runFor(60_000);
    return page.evaluate('[new Date().toISOString(), rang]');
  },
};
