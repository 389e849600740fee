import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectWithKey } from '../support/cdp-client.ts';
import { download } from '../support/file-client.ts';
import { filesWith } from '../support/files-with.ts';
import { makeKey } from '../support/keys.ts';
import { liveCapability, watch } from '../support/live-client.ts';
import { scriptClient } from '../support/script-client.ts';
import { expectNoSecret, open, password, type SecretWorld, secretWorld } from '../support/secret-client.ts';
import { eventually } from '../support/server.ts';

let world: SecretWorld;
beforeAll(async () => {
  world = await secretWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Code of the caller that has the value, and a way by which it would leave. */
const ways: Record<string, string> = {
  'the value of the field': `return page.inputValue('#password')`,
  'the DOM, within other text': `return page.evaluate(() => 'it is ' + password.value + '!')`,
  'an element handle': `return (await (await page.$('#password')).getProperty('value')).jsonValue()`,
  'the name of a field of the result': `return { [await page.inputValue('#password')]: 1 }`,
  'URL-encoded': `return page.evaluate(() => encodeURIComponent(password.value))`,
  'a form body': `return page.evaluate(() => new URLSearchParams(new FormData(document.forms[0])).toString())`,
  base64: `return Buffer.from(await page.inputValue('#password')).toString('base64')`,
  'basic authentication': `return 'Basic ' + Buffer.from('user:' + await page.inputValue('#password')).toString('base64')`,
  JSON: `return JSON.stringify({ deep: JSON.stringify({ it: await page.inputValue('#password') }) })`,
  'the HTML of the page': `await page.evaluate(() => password.setAttribute('value', password.value)); return page.content()`,
  'a request that the page sends': `const seen = []; page.on('request', (it) => seen.push(it.postData() ?? it.url()));
    await page.click('#go'); await page.waitForURL('**/session'); return seen`,
  'the storage of the context': `await page.evaluate(() => localStorage.setItem('kept', password.value)); return context.storageState()`,
  'a cookie': `await page.evaluate(() => { document.cookie = 'kept=' + encodeURIComponent(password.value) }); return context.cookies()`,
  'a large result': `return { rows: Array(50_000).fill('nothing'), it: [await page.inputValue('#password')] }`,
  'the accessibility tree': `return page.locator('body').ariaSnapshot()`,
};

/** What the words of docs/secrets.md say is not masked: the caller's code has computed on it. */
const transformed: Record<string, string> = {
  reversed: `return [...await page.inputValue('#password')].reverse().join('')`,
  'in pieces': `return [...await page.inputValue('#password')]`,
  'as numbers': `return [...Buffer.from(await page.inputValue('#password'))]`,
  'in hexadecimal': `return Buffer.from(await page.inputValue('#password')).toString('hex')`,
};

describe('a script that reads the field back gets nothing out', () => {
  beforeEach(() => world.signIn());

  test.each(Object.entries(ways))('by %s', async (_, code) => {
    const { body } = await world.scripts.execute(code);
    expect(body.error).toBeUndefined();
    expect(JSON.stringify(body.result)).toContain('•••');
    expectNoSecret(body);
  });

  test('by its logs, as they come or at the end', async () => {
    const code = `const it = await page.inputValue('#password'); console.log('log', it); console.error({ it }); return 1`;
    const { body } = await world.scripts.execute(code);
    expect(body.logs).toHaveLength(2);
    expectNoSecret(body);
    const { api, browserId } = world;
    const streamed = await fetch(`${api.url}/v1/browsers/${browserId}/script/execute`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ code }),
    });
    const text = await streamed.text();
    expect(text).toContain('event: log');
    expectNoSecret(text);
  });

  test('by the beginning of a large result', async () => {
    const code = `return Array(20_000).fill('it is ' + await page.inputValue('#password'))`;
    const { body } = await world.scripts.execute(code, { maxResultChars: 100 });
    expect(body.resultCut.json).toMatch(/^(?:\["it is •••",)/);
    expectNoSecret(body);
  });

  test('by an error that it throws', async () => {
    const { body } = await world.scripts.execute(
      `const it = await page.inputValue('#password'); throw Object.assign(new Error('it is ' + it), { name: it })`,
    );
    expect(body.error.message).toBe('it is •••');
    expectNoSecret(body);
  });

  test('by what is seen besides: status, activity, observation of every kind', async () => {
    for (const kind of ['aria', 'html', 'text', 'markdown']) {
      const { body } = await world.scripts.execute(
        `await page.evaluate(() => { document.title = password.value; document.body.append(password.value, ' and more words'.repeat(20));
           password.setAttribute('value', password.value); console.error(password.value) }); return 1`,
        { capture: { status: true, activity: true, observation: { kind } } },
      );
      expect(body.observation.content).toContain('•••');
      expectNoSecret(body);
      const seen = await world.api.call('POST', `/v1/browsers/${world.browserId}/observe`, {
        body: { kind, maxChars: 100 },
      });
      expectNoSecret(seen.body);
      const file = await download(world.api, world.browserId, seen.body.file.fileId);
      const kept = await file.text();
      expect(kept).toContain('•••');
      expectNoSecret(kept);
    }
  });

  test('in part, by an observation that cuts long values and joins white space', async () => {
    const value = `begin  with two spaces ${'and so on '.repeat(200)}end`;
    await world.createSecret({ name: 'long/one', value });
    const editors = {
      input: '<input id=field>',
      textarea: '<textarea id=field></textarea>',
      editor: '<div id=field contenteditable style="height:20px"></div>',
    };
    for (const [name, html] of Object.entries(editors)) {
      await world.scripts.resultOf(
        `await page.goto(args.url); await page.evaluate((html) => { document.body.innerHTML = html }, args.html);
         await secrets.fill(page.locator('#field'), 'long/one')`,
        { args: { url: `${world.site.origin}/login`, html } },
      );
      const { body } = await world.api.call('POST', `/v1/browsers/${world.browserId}/observe`, { body: {} });
      expect([name, body.content]).toEqual([name, expect.stringContaining('••••••••')]);
      expect(body.content).not.toMatch(/begin|so on/);
    }
  });

  test('by a file that it writes', async () => {
    for (const form of ['it', 'encodeURIComponent(it)', `Buffer.from('u:' + it).toString('base64')`]) {
      const { code } = await world.scripts.errorOf(
        `const it = await page.inputValue('#password'); return files.write('a.txt', ${form})`,
      );
      expect(code).toBe('SCRIPT_FAILED');
    }
    const { body } = await world.api.call('GET', `/v1/browsers/${world.browserId}/files`);
    const written = body.items.filter(({ source }: { source: string }) => source !== 'observation');
    expect(written).toEqual([]);
  });

  test.each(Object.entries(transformed))(
    'but %s it gets through, as the documentation says',
    async (_, code) => {
      const { body } = await world.scripts.execute(code);
      expect(body.error).toBeUndefined();
      expect(JSON.stringify(body.result)).not.toBe('"•••"');
    },
  );
});

describe('other ways out are closed', () => {
  test('another key of the project', async () => {
    await world.signIn();
    const { server, api, browserId } = world;
    const member = api.as(await makeKey(server.dataDir, { project: 'default', role: 'member' }));
    const { body } = await scriptClient({ ...server, api: member }, browserId).execute(
      `return page.inputValue('#password')`,
    );
    expect(body.result).toBe('•••');
  });

  test('the address and the title of a tab, in status, lists and events', async () => {
    const { api, browserId, scripts, signIn } = world;
    await signIn('/login', '#shown');
    await scripts.resultOf(
      `await page.locator('#shown').press('Enter'); await page.waitForURL('**/seen?**');
       await page.evaluate(() => { document.title = new URLSearchParams(location.search).get('q') })`,
    );
    const answers = [
      await api.status(browserId),
      await api.call('GET', `/v1/browsers/${browserId}/events?limit=100`),
      await api.call('GET', '/v1/events?limit=100'),
    ];
    expect(JSON.stringify(answers[0]?.body)).toContain('•••');
    for (const { body } of answers) expectNoSecret(body);
  });

  test('the console of the page, as an event', async () => {
    const { api, browserId, scripts, signIn } = world;
    await signIn();
    await scripts.resultOf(
      `await page.evaluate(() => console.error('typed', password.value, btoa(escape(password.value))))`,
    );
    const { body } = await eventually(
      () => api.call('GET', `/v1/browsers/${browserId}/events?type=console.error`),
      (answer) => JSON.stringify(answer.body).includes('typed'),
    );
    expectNoSecret(body);
  });

  test('a scrape of the tab', async () => {
    const { api, browserId, scripts, signIn } = world;
    await signIn();
    await scripts.resultOf(
      `await page.evaluate(() => { document.body.innerText = 'Hello, ' + password.value + '. '.repeat(50) })`,
    );
    const { body } = await api.call('POST', `/v1/browsers/${browserId}/scrape`, { body: {} });
    expect(body.content).toContain('•••');
    expectNoSecret(body);
  });

  test('a dialog of the page', async () => {
    const { api, site } = world;
    const { body: browser } = await api.create({ ...open, dialogs: 'manual' });
    const scripts = scriptClient(world.server, browser.id);
    await scripts.resultOf(
      `await page.goto(args); await secrets.fill(page.locator('#password'), 'shop/password');
       await page.evaluate(() => setTimeout(() => alert(password.value)))`,
      { args: `${site.origin}/login` },
    );
    const { body } = await eventually(
      () => api.call('GET', `/v1/browsers/${browser.id}/dialogs`),
      (answer) => answer.body.items.length > 0,
    );
    expect(body.items[0].message).toBe('•••');
    const blocked = await scripts.execute('return page.title()');
    expectNoSecret(blocked.body);
    await api.remove(browser.id);
  });

  test('a person in the live view: the words around the picture', async () => {
    const { api, browserId, scripts, signIn } = world;
    const { socketUrl } = await liveCapability(api, browserId, 'view');
    const viewer = await watch(socketUrl);
    await signIn();
    await scripts.resultOf(`await page.evaluate(() => { document.title = 'title ' + password.value })`);
    await eventually(
      async () => JSON.stringify(viewer.told),
      (told) => told.includes('title '),
    );
    expectNoSecret(viewer.told);
    viewer.close();
  });

  test('a CDP client that comes afterwards', async () => {
    await world.signIn();
    await expect(connectWithKey(world.api, world.browserId)).rejects.toThrow();
  });

  test('a picture: two values of one length look the same, whatever a script does to the field', async () => {
    const { api, browserId, scripts, signIn, createSecret } = world;
    const pictures: string[] = [];
    for (const [name, value] of [
      ['one', 'iiiiiiiiiiii'],
      ['two', 'WWWWWWWWWWWW'],
    ] as const) {
      await createSecret({ name, value });
      await signIn('/login', '#shown', name);
      await scripts.resultOf(
        `await page.evaluate(async () => {
           const style = document.createElement('style');
           style.textContent = '#shown { -webkit-text-security: none !important; caret-color: transparent }';
           document.head.append(style);
           shown.type = 'text'; shown.style.webkitTextSecurity = 'none'; shown.removeAttribute('style');
           shown.style.font = '20px monospace'; shown.style.width = '400px'; shown.blur();
           await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
         })`,
      );
      const response = await fetch(`${api.url}/v1/browsers/${browserId}/screenshot`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ selector: '#shown' }),
      });
      pictures.push(Buffer.from(await response.arrayBuffer()).toString('base64'));
    }
    expect(pictures[0]).toBe(pictures[1]);
  });
});

describe('nothing is typed', () => {
  const refusal = async (path: string, selector: string, more = '') => {
    const { scripts, site } = world;
    const url = path.startsWith('http') ? path : site.origin + path;
    return scripts.errorOf(
      `await page.goto(args.url); ${more}; await secrets.fill(page.locator(args.selector), 'shop/password', { timeout: 8000 })`,
      { args: { url, selector } },
    );
  };

  test('on another site', async () => {
    const { code, details } = await refusal(`${world.site.other}/steal`, '#password');
    expect(code).toBe('SECRET_ORIGIN_MISMATCH');
    expect(details).toMatchObject({ origin: world.site.other, origins: [world.site.origin] });
  });

  test.each([
    ['another port', ({ other }: SecretWorld['site']) => other.replace('localhost', '127.0.0.1')],
    ['another name of the same machine', ({ port }: SecretWorld['site']) => `http://localhost:${port}`],
    ['the name with a dot at its end', ({ port }: SecretWorld['site']) => `http://localhost.:${port}`],
    [
      'another address of the same machine',
      ({ port }: SecretWorld['site']) => `http://[::ffff:127.0.0.1]:${port}`,
    ],
  ])('at %s', async (_, place) => {
    const url = `${place(world.site)}/login`;
    const { code } = await refusal(url, '#password');
    expect(code, url).toBe('SECRET_ORIGIN_MISMATCH');
  });

  test('in a frame of another site', async () => {
    const { scripts, site } = world;
    const { code } = await scripts.errorOf(
      `await page.goto(args); await secrets.fill(page.frameLocator('#f').locator('#password'), 'shop/password')`,
      { args: `${site.origin}/framed-other` },
    );
    expect(code).toBe('SECRET_ORIGIN_MISMATCH');
  });

  test('in a sandboxed frame, which has no origin', async () => {
    const { scripts, site } = world;
    const { code, details } = await scripts.errorOf(
      `await page.goto(args); await secrets.fill(page.frameLocator('#f').locator('#password'), 'shop/password')`,
      { args: `${site.origin}/sandboxed` },
    );
    expect([code, details.origin]).toEqual(['SECRET_ORIGIN_MISMATCH', 'null']);
  });

  test('when the page leaves for another site as the field gets the focus', async () => {
    const { code } = await refusal('/leaves', '#password');
    expect(['SECRET_ORIGIN_MISMATCH', 'SECRET_FIELD_UNUSABLE']).toContain(code);
    const { scripts } = world;
    await scripts.resultOf(
      `await page.waitForURL('**/steal'); if (await page.inputValue('#password')) throw 1`,
    );
  });

  test('when the page hands the focus to a frame of another site', async () => {
    const { code } = await refusal('/gives-away', '#password');
    expect(['SECRET_ORIGIN_MISMATCH', 'SECRET_FIELD_UNUSABLE']).toContain(code);
    expect(
      await world.scripts.resultOf(`return page.frameLocator('#f').locator('#password').inputValue()`),
    ).toBe('');
  });

  test.each([
    ['read-only', '#readonly', 'SECRET_FIELD_UNUSABLE'],
    ['disabled', '#disabled', 'SECRET_FIELD_UNUSABLE'],
    ['invisible', '#clear', 'SECRET_FIELD_UNUSABLE'],
    ['without room', '#flat', 'ELEMENT_NOT_ACTIONABLE'],
    ['no field', '#go', 'SECRET_FIELD_UNUSABLE'],
  ])('into what is %s', async (_, selector, expected) => {
    const { code } = await refusal('/login', selector);
    expect(code).toBe(expected);
    const value = `return page.locator('${selector}').evaluate((it) => it.value ?? '')`;
    expect(await world.scripts.resultOf(value)).toBe('');
  });
});

test('after all of it, no file of the service holds the value', async () => {
  // What a page itself has put into its storage is in the profile, and goes with the browser.
  await world.api.remove(world.browserId);
  await world.server.service.close();
  expect(await filesWith(world.server.dataDir, password, encodeURIComponent(password))).toEqual([]);
});
