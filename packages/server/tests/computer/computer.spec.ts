import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Computer, computerOf } from '../support/computer-client.ts';
import { computerPages, spots } from '../support/computer-pages.ts';
import { named, upload } from '../support/file-client.ts';
import { chromiumOf, profileOf } from '../support/leaks.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Site, startSite } from '../support/site.ts';

let server: TestServer;
let site: Site;
let id: string;
let screen: Computer;
const policy = { privateAccess: { localhost: true } };

beforeAll(async () => {
  site = await startSite(computerPages);
  server = await startServer();
  id = (await server.api.create({ policy, dialogs: 'manual' })).body.id;
  screen = computerOf(server.api, id);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site.close();
});
beforeEach(async () => {
  await screen.does({ type: 'navigate', url: `${site.origin}/desk` });
});

const click = (spot: keyof typeof spots, more: object = {}) => ({ type: 'click', ...spots[spot], ...more });
const valueIn = (name: string) => screen.run(`return page.inputValue('#${name}')`);

describe('the mouse', () => {
  test('clicks with trusted events, and says what it hit', async () => {
    const { actions, changed, cursor } = await screen.does(click('button'));
    expect(actions[0].hit).toEqual({ tag: 'button', role: 'button', name: 'Press me', editable: false });
    expect([actions[0].changed, changed, cursor]).toEqual([true, true, spots.button]);
    const heard = ['mousedown', 'mouseup', 'click'].map((type) => expect.stringMatching(`^${type} \\w+ 0$`));
    expect(await screen.noted()).toEqual(heard);
  });

  test('clicks with another button, twice, three times, and with keys held', async () => {
    await screen.does([
      click('button', { button: 'right' }),
      click('button', { button: 'middle' }),
      click('button', { count: 2 }),
      click('button', { modifiers: ['ctrl', 'Shift'] }),
    ]);
    const noted = await screen.noted();
    for (const heard of [
      /^contextmenu \w+ 2/,
      /^auxclick \w+ 1/,
      /^dblclick \w+ 0/,
      /^click \w+ 0 ctrlKey,shiftKey$/,
    ])
      expect(noted).toEqual(expect.arrayContaining([expect.stringMatching(heard)]));
    expect(noted.join('\n')).not.toContain('FAKE');
    await screen.does([{ type: 'type', ...spots.field, text: 'one two' }, click('field', { count: 3 })]);
    expect(await screen.run('return page.evaluate(() => getSelection().toString())')).toBe('one two');
  });

  test('moves, and says where it is', async () => {
    const { actions } = await screen.does([{ type: 'move', x: 123, y: 45 }, { type: 'cursor' }]);
    expect(actions[1].cursor).toEqual({ x: 123, y: 45 });
    expect(await screen.run('return page.evaluate(() => at)')).toEqual([123, 45]);
  });

  test('holds a button from one call to the next', async () => {
    await screen.does({ type: 'down', ...spots.button });
    expect(await screen.noted()).toEqual([expect.stringMatching(/^mousedown/)]);
    await screen.does({ type: 'up' });
    expect(await screen.noted()).toEqual([
      expect.stringMatching(/^mouseup/),
      expect.stringMatching(/^click/),
    ]);
  });

  test('drags what the page lets be dragged, and drops it', async () => {
    await screen.does({ type: 'drag', path: [spots.dragged, spots.dropped] });
    await expect.poll(() => screen.run("return page.textContent('#dropped')")).toBe('cargo');
  });

  test('drags from where it is, when only the end is named', async () => {
    const { actions } = await screen.does([
      { type: 'move', ...spots.dragged },
      { type: 'drag', path: [spots.dropped] },
    ]);
    expect(actions[1].hit).toEqual(actions[0].hit);
    await expect.poll(() => screen.run("return page.textContent('#dropped')")).toBe('cargo');
  });

  test('scrolls what lies under it, by pixels and by notches', async () => {
    const top = () => screen.run('return page.evaluate(() => scroller.scrollTop)');
    const { actions } = await screen.does({ type: 'scroll', ...spots.scroller, deltaY: 250 });
    expect(actions[0].changed).toBe(true);
    expect(await top()).toBe(250);
    await screen.does({ type: 'scroll', ...spots.scroller, deltaY: -2, by: 'notches' });
    expect(await top()).toBe(50);
  });
});

describe('the keyboard', () => {
  test('types by keys, and what no key has as an input method would', async () => {
    const text = 'Ada, 42% שלום 日本 👩‍👩‍👧 é';
    const { actions } = await screen.does({ type: 'type', ...spots.field, text });
    expect(actions[0].hit).toMatchObject({
      tag: 'input',
      role: 'textbox',
      name: 'Your name',
      editable: true,
    });
    expect(await valueIn('field')).toBe(text);
    const noted = await screen.noted();
    expect(noted).toContain('keydown field A shiftKey');
    expect(noted.join('\n')).not.toContain('FAKE');
    await screen.does({ type: 'type', ...spots.area, text: 'a\nb' });
    expect(await valueIn('area')).toBe('a\nb');
  });

  test('replaces what a field holds, and submits', async () => {
    await screen.does([
      { type: 'type', ...spots.field, text: 'first' },
      { type: 'type', ...spots.field, text: 'second', clear: true, submit: true },
    ]);
    expect(await valueIn('field')).toBe('second');
    expect(await screen.noted()).toContain('keydown field Enter');
    await screen.does({ type: 'type', ...spots.field, text: '', clear: true });
    expect(await valueIn('field')).toBe('');
  });

  test('presses chords, several after each other, and holds a key', async () => {
    await screen.does([
      { type: 'type', ...spots.field, text: 'abc' },
      { type: 'key', keys: 'ctrl+A' },
      { type: 'key', keys: 'BackSpace x Shift+y' },
      { type: 'key', keys: 'F2', holdMs: 50 },
    ]);
    expect(await valueIn('field')).toBe('xy');
    const noted = await screen.noted();
    expect(noted).toContain('keydown field a ctrlKey');
    expect(noted.slice(-2)).toEqual(['keydown field F2', 'keyup field F2']);
  });

  test('copies out of the page and pastes into it', async () => {
    const { actions } = await screen.does([
      { type: 'type', ...spots.field, text: 'to be copied' },
      { type: 'key', keys: 'Control+a' },
      { type: 'copy' },
      click('area'),
      { type: 'paste', text: 'from outside\nin two lines' },
    ]);
    expect(actions[2].text).toBe('to be copied');
    expect(await valueIn('area')).toBe('from outside\nin two lines');
  });
});

describe('what is drawn outside the page', () => {
  test('a list is told with its options, and chosen from', async () => {
    const { actions } = await screen.does(click('list'));
    expect(actions[0].picker).toMatchObject({ kind: 'select', label: 'Colour', value: 'Red' });
    expect(actions[0].picker.options.map(({ text }: { text: string }) => text)).toEqual([
      'Red',
      'Green',
      'Blue',
    ]);
    await screen.does({ type: 'select', ...spots.list, options: ['blue'] });
    expect(await valueIn('list')).toBe('Blue');
    expect(await screen.noted()).toContain('change list');
    const { body } = await screen.use({ type: 'select', ...spots.list, options: ['Pink'] });
    expect(body).toMatchObject({ success: false, failedIndex: 0, error: { code: 'ELEMENT_NOT_ACTIONABLE' } });
    expect(body.error.details.options).toEqual(['Red', 'Green', 'Blue']);
  });

  test('a file chooser is given the files of the call', async () => {
    const file = (await upload(server.api, id, named('report.txt'), { body: 'numbers' })).body.id;
    const { actions } = await screen.does(click('file'), { files: [file] });
    expect(actions[0].picker).toMatchObject({ kind: 'file', label: 'Report' });
    expect(await screen.run('return page.evaluate(() => file.files[0].text())')).toBe('numbers');
    const { body } = await screen.use(click('file'), { files: ['file_01ja9q4m8h2f7t3k5w6x8y0z1b'] });
    expect(body.error).toMatchObject({ code: 'FILE_NOT_FOUND' });
  });

  test('a file chooser without files is told, and closed', async () => {
    const { actions } = await screen.does(click('file'));
    expect(actions[0].picker).toMatchObject({ kind: 'file' });
    expect(await screen.run('return page.evaluate(() => file.files.length)')).toBe(0);
  });
});

describe('what comes of an action', () => {
  test('another page is waited for and named', async () => {
    const { actions, page } = await screen.does([click('link'), { type: 'wait', ms: 0 }]);
    expect(actions[0]).toMatchObject({ changed: true, navigatedTo: `${site.origin}/next` });
    expect(page).toMatchObject({ title: 'next', url: `${site.origin}/next` });
    const back = await screen.does([{ type: 'back' }, { type: 'forward' }, { type: 'reload' }]);
    expect(back.actions.map(({ navigatedTo }: { navigatedTo: string }) => navigatedTo)).toEqual(
      ['/desk', '/next', '/next'].map((path) => site.origin + path),
    );
  });

  test('a new tab is named, and is the one that is used next', async () => {
    const { openedTabs, actions, page } = await screen.does([click('popup'), { type: 'move', x: 5, y: 5 }]);
    expect(openedTabs).toHaveLength(1);
    expect(openedTabs[0].url).toBe(`${site.origin}/next?opened`);
    expect([actions[1].tabId, page.tabId]).toEqual([openedTabs[0].tabId, openedTabs[0].tabId]);
    const first = actions[0].tabId;
    const again = await screen.does({ type: 'cursor' }, { tabId: first });
    expect(again.page).toMatchObject({ tabId: first, title: 'desk' });
    const opened = await screen.does([
      { type: 'openTab', url: `${site.origin}/next` },
      { type: 'move', x: 1, y: 1 },
    ]);
    expect(opened.page).toMatchObject({ tabId: opened.actions[1].tabId, title: 'next' });
    await screen.run(
      "for (const each of context.pages()) if (each.url().includes('/next')) await each.close()",
    );
  });

  test('a dialog is named, does not hang the call, and stops what comes after', async () => {
    const { body } = await screen.use([click('alert'), click('button')]);
    expect(body).toMatchObject({ success: false, failedIndex: 1, error: { code: 'DIALOG_OPEN' } });
    expect(body.dialogs).toMatchObject([{ type: 'confirm', message: 'Sure?', state: 'open' }]);
    const seen = await screen.does({ type: 'screenshot' });
    expect(seen.actions[0].picture.width).toBe(1280);
    await server.api.call('POST', `/v1/browsers/${id}/dialogs/${body.dialogs[0].id}`, {
      body: { action: 'accept' },
    });
    expect(
      await screen.run("return page.evaluate(() => document.querySelector('#alert').dataset.answer)"),
    ).toBe('true');
  });

  test('something that covers a button is named with what it covers', async () => {
    const { actions } = await screen.does(click('covered'));
    expect(actions[0].hit).toMatchObject({
      tag: 'div',
      covers: { tag: 'button', role: 'button', name: 'Buy' },
    });
    expect(actions[0].changed).toBe(false);
  });

  test('what lies in a frame is named as what it is', async () => {
    const { actions } = await screen.does(click('frame'));
    expect(actions[0].hit).toMatchObject({ tag: 'button', name: 'Inside' });
  });

  test('so is what lies in a frame of another site, in another process', async () => {
    const address = `http://localhost:${site.port}/desk`;
    const frame = `<iframe src="${address}" style="position:absolute;left:50px;top:40px;width:700px;height:500px;border:0"></iframe>`;
    await screen.run(
      `await page.setContent(${JSON.stringify(frame)}); await page.frameLocator('iframe').locator('#button').waitFor()`,
    );
    const [x, y] = [spots.button.x + 50, spots.button.y + 40];
    const { actions } = await screen.does({ type: 'click', x, y });
    expect(actions[0].hit).toEqual({ tag: 'button', role: 'button', name: 'Press me', editable: false });
    const pressed = "return page.frameLocator('iframe').locator('#button').getAttribute('data-pressed')";
    expect(await screen.run(pressed)).toBe('yes');
  });

  test('a dialog that the browser answers by itself is named, and the list goes on', async () => {
    const made = (await server.api.create({ policy, startUrl: `${site.origin}/desk` })).body.id;
    const other = computerOf(server.api, made);
    const { dialogs } = await other.does([click('alert'), click('button')]);
    expect(dialogs).toMatchObject([{ type: 'confirm', state: 'dismissed', closedBy: 'mode' }]);
    await server.api.remove(made);
  });

  test('what was hit has the reference by which scripts know it', async () => {
    const { actions } = await screen.does(click('field'), { refs: true });
    const { ref } = actions[0].hit;
    expect(await screen.run(`return page.locator('aria-ref=${ref}').getAttribute('id')`)).toBe('field');
  });

  test('the first failure ends the list, and what was done before stays', async () => {
    const { body } = await screen.use([
      { type: 'type', ...spots.field, text: 'stays' },
      { type: 'click', x: 5000, y: 10 },
      { type: 'type', ...spots.field, text: ' not done' },
    ]);
    expect(body).toMatchObject({ success: false, failedIndex: 1, error: { code: 'POINT_OUTSIDE_SCREEN' } });
    expect(body.actions).toHaveLength(1);
    expect(await valueIn('field')).toBe('stays');
  });

  test('an address that cannot be reached is a failure with its reason', async () => {
    const refused = await screen.use({ type: 'navigate', url: 'http://10.1.2.3/' });
    expect(refused.body.error).toMatchObject({ code: 'POLICY_BLOCKED' });
    const file = await screen.use({ type: 'navigate', url: 'file:///etc/passwd' });
    expect(file.body.error).toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});

test('two callers take turns', async () => {
  const texts = ['aaaa', 'bbbb', 'cccc'];
  await screen.does(click('field'));
  await Promise.all(texts.map((text) => screen.does({ type: 'type', text })));
  expect((String(await valueIn('field')).match(/.{4}/g) ?? []).sort()).toEqual(texts);
});

test('a call that takes too long is ended, and the next one works', async () => {
  const { body } = await screen.use([{ type: 'wait', ms: 20_000 }], { timeoutMs: 2000 });
  expect(body).toMatchObject({ success: false, failedIndex: 0, error: { code: 'SCRIPT_TIMEOUT' } });
  await screen.does(click('button'));
});

test('a page that never answers is an error, and the tab can be led away from it', async () => {
  await screen.does({ type: 'navigate', url: `${site.origin}/busy` }, { restMs: 500 });
  const { body } = await screen.use(click('button'));
  expect(body).toMatchObject({ success: false, failedIndex: 0, error: { code: 'BROWSER_UNRESPONSIVE' } });
  await screen.does({ type: 'navigate', url: `${site.origin}/desk` });
  await screen.does(click('button'));
});

test('a tab that is not there is a 404', async () => {
  const { status, body } = await screen.use(click('button'), { tabId: 'none' });
  expect([status, body.error.code]).toEqual([404, 'TAB_NOT_FOUND']);
});

describe('a call that is under way', () => {
  /** One that waits for long, and one behind it. */
  const waiting = async (made: string) => {
    const other = computerOf(server.api, made);
    await other.does({ type: 'move', x: 1, y: 1 });
    return [other.use({ type: 'wait', ms: 30_000 }), other.use({ type: 'wait', ms: 30_000 })];
  };
  const codes = async (answers: ReturnType<Computer['use']>[]) =>
    (await Promise.all(answers)).map(({ body }) => body.error.code);

  test('ends when its browser is closed', async () => {
    const made = (await server.api.create({ policy })).body.id;
    const answers = await waiting(made);
    await server.api.remove(made);
    expect(await codes(answers)).toEqual(['BROWSER_NOT_READY', 'BROWSER_NOT_READY']);
  });

  test('ends when its Chromium is killed, and the browser works again', async () => {
    const made = (await server.api.create({ policy })).body.id;
    const answers = await waiting(made);
    process.kill(chromiumOf(profileOf(server.scratchDir, made))[0] as number, 'SIGKILL');
    for (const code of await codes(answers)) expect(code).toMatch(/^BROWSER_(CRASHED|NOT_READY)$/);
    const isBack = async () => {
      const { status, epoch } = (await server.api.get(made)).body;
      return status === 'ready' && epoch > 1;
    };
    await expect.poll(isBack).toBe(true);
    await computerOf(server.api, made).does({ type: 'move', x: 1, y: 1 });
    await server.api.remove(made);
  });
});
