import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { download } from '../support/file-client.ts';
import { makeKey } from '../support/keys.ts';
import { type ScriptClient, scriptClient } from '../support/script-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What a caller is told of a page: all of it, what has changed, what it looks for, in parts that fit. */
let server: TestServer;
let id: string;

beforeAll(async () => {
  server = await startServer();
  id = (await server.api.create({ dialogs: 'manual' })).body.id;
});
afterAll(() => server[Symbol.asyncDispose]());

const observe = (body: object = {}, headers: Record<string, string> = {}) =>
  server.api.call('POST', `/v1/browsers/${id}/observe`, { body, headers });
const seen = async (body: object = {}) => {
  const answer = await observe(body);
  expect(answer.body.error).toBeUndefined();
  return answer.body;
};
const execute: ScriptClient['execute'] = (...call) => scriptClient(server, id).execute(...call);
const resultOf: ScriptClient['resultOf'] = (...call) => scriptClient(server, id).resultOf(...call);
const show = (html: string): Promise<unknown> => resultOf('await page.setContent(args)', { args: html });
const refOf = (content: string, what: string): string =>
  new RegExp(`${what} \\[ref=(\\w+)\\]`).exec(content)?.[1] ?? '';

const shop = `<title>Shop</title><header><a href="/cart">Cart</a></header>
  <main><h1>Apples</h1><p>Fresh <b>today</b>.</p>
    <form aria-label="Order"><label>Amount <input name=amount value=2 required></label>
      <select aria-label="Sort"><option>Cox</option><option selected>Boskop</option></select>
      <button type=button onclick="document.querySelector('#out').innerHTML='<p>Thank you</p><button>Undo</button>'">Buy</button></form>
    <div id=out></div>
    <table><tr><th>Day</th><th>Price</th></tr><tr><td>Monday</td><td>3</td></tr></table></main>`;

describe('a page', () => {
  beforeEach(() => show(shop));

  test('is told in lines, each thing once, with references to what can be operated', async () => {
    const { content, page, kind, as, chars, tokens, truncated, view } = await seen();
    const plain = content.replaceAll(/ \[ref=e\d+\]/g, '');
    expect(plain).toBe(`banner
  link "Cart"
main
  heading "Apples" [level=1]
  text: Fresh today.
  form "Order"
    textbox "Amount" [required]: 2
    combobox "Sort": Boskop
      options: Cox | Boskop
    button "Buy"
  table
    row: Day | Price
    row: Monday | 3
`);
    expect({ kind, as, chars, truncated }).toEqual({
      kind: 'aria',
      as: 'full',
      chars: content.length,
      truncated: false,
    });
    expect(tokens).toBeGreaterThan(content.length / 6);
    expect(tokens).toBeLessThan(content.length / 2);
    expect(page.title).toBe('Shop');
    expect(view).toMatchObject({ scrollY: 0 });
    for (const what of ['link "Cart"', 'textbox "Amount"', 'combobox "Sort"', 'button "Buy"'])
      expect(refOf(content, what)).toMatch(/^e\d+$/);
  });

  test('that has changed is told by what is new, and references stay', async () => {
    const first = await seen();
    const ref = refOf(first.content, 'button "Buy"');
    await resultOf(`await page.locator('aria-ref=${ref}').click()`);
    const next = await seen({ as: 'diff' });
    expect(next).toMatchObject({ as: 'diff', changed: true });
    expect(next.content).toMatch(/^\+ {3}text: Thank you\n\+ {3}button "Undo" \[ref=e\d+\]$/m);
    expect(next.content).not.toContain('Cart');
    expect(next.content.length).toBeLessThan(first.content.length);
    expect(refOf((await seen()).content, 'button "Buy"')).toBe(ref);
    expect(await seen({ as: 'diff' })).toMatchObject({
      changed: false,
      content: expect.stringMatching(/^ {2}… \d+ lines as before\n$/),
    });
    const since = await seen({ as: 'diff', since: first.id });
    expect(since.content).toContain('Undo');
  });

  test('is told whole where there is nothing to compare with, and why', async () => {
    await seen();
    const { id: before } = await seen({ as: 'diff', interactiveOnly: true });
    expect(await seen({ as: 'diff', since: 'obs_unknown' })).toMatchObject({
      as: 'full',
      fullReason: 'nothing_before',
    });
    expect(await seen({ as: 'diff', since: before })).toMatchObject({ fullReason: 'asked_differently' });
    await resultOf("await page.goto('data:text/html,<h1>Elsewhere</h1>')");
    expect(await seen({ as: 'diff' })).toMatchObject({ as: 'full', fullReason: 'new_document' });
  });

  test('is compared with what this key has seen, not with what another has', async () => {
    const key = await makeKey(server.dataDir, { project: 'default', role: 'member' });
    await seen();
    const other = await observe({ as: 'diff' }, { authorization: `Bearer ${key}` });
    expect(other.body).toMatchObject({ as: 'full', fullReason: 'nothing_before' });
  });

  test('is searched by text, role, name and CSS', async () => {
    const found = await seen({ find: { role: 'button', name: 'buy' } });
    expect(found).toMatchObject({ matches: 1 });
    expect(found.content).toMatch(
      /^in main \[ref=e\d+\] > form "Order" \[ref=e\d+\]\n {2}button "Buy" \[ref=e\d+\]\n$/,
    );
    expect((await seen({ find: { text: 'monday' } })).content).toContain('Monday');
    expect((await seen({ find: { css: 'input' } })).content).toContain('textbox "Amount"');
    expect(await seen({ find: { text: 'pears' } })).toMatchObject({ matches: 0, content: '' });
  });

  test('is told in part: an element, a depth, what can be operated', async () => {
    const { content } = await seen();
    const scope = refOf(content, 'form "Order"');
    expect((await seen({ scope })).content).not.toContain('Cart');
    expect((await seen({ scope })).content).toContain('button "Buy"');
    expect((await seen({ selector: 'header' })).content).toMatch(
      /^banner \[ref=e\d+\]\n {2}link "Cart" \[ref=e\d+\]\n$/,
    );
    expect((await seen({ depth: 1 })).content).toMatch(/^main \[ref=e\d+\]: … \d+ more inside$/m);
    const operated = (await seen({ interactiveOnly: true })).content;
    expect(operated).toContain('textbox "Amount"');
    expect(operated).not.toContain('Fresh');
    expect((await seen({ urls: true })).content).toMatch(/link "Cart" \[ref=e\d+\] \[url="[^"]*\/cart"\]/);
    expect((await seen({ boxes: true })).content).toMatch(
      /button "Buy" \[ref=e\d+\] \[box=\d+,\d+,\d+,\d+\]/,
    );
  });

  test('is seen while a script runs', async () => {
    const [{ tabId }] = (await server.api.status(id)).body.tabs;
    // It listens before the page shows that it does.
    const code =
      "const opened = context.waitForEvent('page', { timeout: 0 }); await page.setContent('<p>at work</p>'); await opened";
    const running = execute(code, { timeoutMs: 120_000 });
    await expect.poll(async () => (await seen({ tabId })).content, { timeout: 60_000 }).toContain('at work');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const opened = await server.api.call('POST', `/v1/browsers/${id}/tabs`, { body: {}, headers });
    expect((await running).body).toMatchObject({ success: true });
    await server.api.call('DELETE', `/v1/browsers/${id}/tabs/${opened.body.tabId}`);
  });

  test('that is scrolled says what lies outside the view, or leaves it out', async () => {
    await show(`<button>First</button><div style="height:5000px"></div><button>Last</button>`);
    const { content, view } = await seen();
    expect(content).toMatch(
      /^button "First" \[ref=e\d+\]\n--- below the view\nbutton "Last" \[ref=e\d+\]\n$/,
    );
    expect(view.maxY).toBeGreaterThan(4000);
    expect((await seen({ viewportOnly: true })).content).toMatch(
      /^button "First" \[ref=e\d+\]\n…: 1 more below the view\n$/,
    );
  });
});

const many = Array.from(
  { length: 400 },
  (_, at) => `<h2>Part ${at}</h2><p>Words of part ${at}</p><a href="#${at}">More ${at}</a>`,
).join('\n');

describe('what is longer than was asked for', () => {
  beforeEach(() => show(`<main>${many}</main>`));

  const whole = async (asked: object): Promise<string> => {
    let all = '';
    for (let startFrom: number | undefined = 0; startFrom !== undefined; ) {
      const part = await seen({ ...asked, maxChars: 5000, startFrom, store: false });
      expect(part.content.length).toBeLessThanOrEqual(5000);
      if (part.truncated) expect(part.content.endsWith('\n')).toBe(true);
      all += part.content;
      startFrom = part.nextStart;
    }
    return all;
  };

  test.each(['aria', 'text', 'markdown', 'html'])('comes in parts that end with a line: %s', async (kind) => {
    const { content } = await seen({ kind, maxChars: 1_000_000 });
    expect(content.length).toBeGreaterThan(10_000);
    expect(await whole({ kind })).toBe(content);
  });

  test('is kept whole as a file, once, with an index of its parts', async () => {
    const { content } = await seen({ maxChars: 1_000_000 });
    const cut = await seen({ maxChars: 4000 });
    expect(cut).toMatchObject({ truncated: true, chars: content.length, nextStart: cut.content.length });
    const file = await download(server.api, id, cut.file.fileId);
    expect(await file.text()).toBe(content);
    expect(cut.index.reduce((sum: number, part: { chars: number }) => sum + part.chars, 0)).toBe(
      content.length,
    );
    const last = cut.index.at(-1);
    expect(last.what).toMatch(/Part \d+/);
    const part = await seen({ maxChars: 4000, startFrom: last.startFrom });
    expect(part.content).toBe(content.slice(last.startFrom));
    expect(part.file.fileId).toBe(cut.file.fileId);
    const { body } = await server.api.call('GET', `/v1/browsers/${id}/files/${cut.file.fileId}`);
    expect(body).toMatchObject({ source: 'observation', name: 'observation.txt' });
  });

  test('is told by a short diff all the same', async () => {
    await seen({ maxChars: 1_000_000 });
    await resultOf(
      "await page.evaluate(() => document.body.append(Object.assign(document.createElement('button'), { textContent: 'New' })))",
    );
    const { as, content, chars, file } = await seen({ as: 'diff' });
    expect({ as, file }).toEqual({ as: 'diff', file: undefined });
    expect(content).toMatch(/^ {2}… \d+ lines as before\n\+ button "New" \[ref=e\d+\]\n$/);
    expect(chars).toBe(content.length);
  });
});

describe('the observation of a call of code', () => {
  test('takes what the call of its own takes', async () => {
    await show(`<main>${many}</main>`);
    const observed = async (code: string, observation: object) =>
      (await execute(code, { capture: { observation } })).body.observation;
    const first = await observed('return 1', { kind: 'aria', maxChars: 3000 });
    expect(first).toMatchObject({ truncated: true, file: { fileId: expect.any(String) } });
    const second = await observed('return 1', { kind: 'aria', maxChars: 3000, startFrom: first.nextStart });
    expect(second.content.split('\n')[0]).not.toBe('');
    const changed = await observed("await page.evaluate(() => document.querySelector('a').remove())", {
      as: 'diff',
    });
    expect(changed.content).toMatch(/^- {3}link "More 0" \[ref=e\d+\]$/m);
    expect(await observed('return 1', { includeOn: 'change', as: 'diff' })).toBeUndefined();
    expect((await observed('return 1', { find: { name: 'More 7' } })).matches).toBe(11);
  });
});

describe('is refused', () => {
  const codeOf = async (body: object) => {
    const answer = await observe(body);
    return [answer.status, answer.body.error.code];
  };

  test('what does not go together', async () => {
    for (const body of [
      { kind: 'text', scope: 'e1' },
      { find: {} },
      { since: 'obs_1' },
      { find: { text: 'x' }, as: 'diff' },
      { scope: 'e1', selector: 'p' },
      { scope: 'first' },
      { selector: 'p >' },
    ])
      expect([body, ...(await codeOf(body))]).toEqual([body, 400, 'VALIDATION_FAILED']);
  });

  test('what is not there', async () => {
    await show('<p>one</p>');
    expect(await codeOf({ selector: '#none' })).toEqual([422, 'SELECTOR_NOT_FOUND']);
    expect(await codeOf({ kind: 'text', selector: '#none' })).toEqual([422, 'SELECTOR_NOT_FOUND']);
    expect(await codeOf({ scope: 'e99999' })).toEqual([422, 'SELECTOR_NOT_FOUND']);
    expect(await codeOf({ tabId: 'none' })).toEqual([404, 'TAB_NOT_FOUND']);
  });

  test('a page that stands in a dialog', async () => {
    const asked = execute("await page.evaluate(() => alert('hey'))", { returnOnDialog: true });
    const { body } = await asked;
    expect(body.error.code).toBe('DIALOG_OPEN');
    expect(await codeOf({})).toEqual([409, 'DIALOG_OPEN']);
    expect(await codeOf({ kind: 'text' })).toEqual([409, 'DIALOG_OPEN']);
    await server.api.call('POST', `/v1/browsers/${id}/dialogs/${body.error.details.dialogId}`, {
      body: { action: 'accept' },
    });
  });
});
