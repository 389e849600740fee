import svgCaptcha from 'svg-captcha';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createVisitor, type Visitor } from '../support/captcha-client.ts';
import { widgets } from '../support/captcha-pages.ts';
import { type Provider, startProvider } from '../support/captcha-provider.ts';
import { type CaptchaSite, startCaptchaSite } from '../support/captcha-site.ts';
import { watch } from '../support/live-client.ts';
import { eventually, startServer, type TestServer } from '../support/server.ts';

/** Real widgets solved to the end; and for the rest, that nothing is called solved that the page did not accept. */
const providerKey = 'a-secret-key-of-the-provider';
const gate = (svg: string) =>
  `<!doctype html><title>Security check</title><body><p>To continue, type the characters in the picture.</p><form action="/sent"><div class="captcha">${svg}<input name="captcha"></div><button>Continue</button></form></body>`;
const letters =
  '<svg class="captcha" xmlns="http://www.w3.org/2000/svg" width="260" height="80"><rect width="260" height="80" fill="#fff"/><text x="20" y="58" font-size="52" font-family="sans-serif">HELLO</text></svg>';
const distorted = svgCaptcha.create({ size: 5, noise: 6, color: true, background: '#cc9966' });
const sitekey = '1x00000000000000000000AA';
const turnstile = (callback = '') =>
  `<!doctype html><title>form</title><body><form><input name="email"><div class="cf-turnstile" data-sitekey="${sitekey}" ${callback} style="width:300px;height:65px"><input type="hidden" name="cf-turnstile-response"></div></form><script>window.took = (token) => { document.title = 'took ' + token; }</script></body>`;

let server: TestServer;
let site: CaptchaSite;
let provider: Provider;
let visitor: Visitor;

beforeAll(async () => {
  provider = await startProvider();
  site = await startCaptchaSite({
    '/picture': `<!doctype html><title>form</title><body><form action="/sent"><input name="email"><label>Characters in the image ${letters}<input name="captcha"></label><button>Send</button></form></body>`,
    '/picture-gate': gate(letters),
    '/picture-asks-again': gate(letters).replace('action="/sent"', ''),
    '/picture-distorted': gate(distorted.data).replace('action="/sent"', ''),
    '/turnstile': turnstile(),
    '/turnstile-callback': turnstile('data-callback="took"'),
    '/recaptcha': widgets['recaptcha-v2']?.html ?? '',
    '/stranger':
      '<!doctype html><title>form</title><body><form><input name="email"><div class="zz-captcha" style="width:200px;height:60px" onclick="this.querySelector(\'[type=hidden]\').value = \'looks-like-a-token\'"><input type="hidden" name="zz-captcha-response">check</div></form></body>',
  });
  server = await startServer({
    BROWSERD_CAPTCHA_PROVIDER_URL: provider.url,
    BROWSERD_CAPTCHA_PROVIDER_KEY: providerKey,
    BROWSERD_WEBHOOK_PRIVATE_ACCESS: 'localhost',
  });
  visitor = await createVisitor(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.calls.length = 0;
});

const valueIn = (name: string): Promise<unknown> =>
  visitor.run('return page.locator(args).first().inputValue()', `[name="${name}"]`);

describe('a page without captchas', () => {
  test('has nothing to solve, and needs no body to say so', async () => {
    await visitor.open(`${site.origin}/`);
    expect(await visitor.resolve()).toMatchObject({ status: 200, body: { state: 'none', items: [] } });
  });
});

describe('widgets of the proof-of-work kind', () => {
  test('are solved on the way of a scrape of a tab, where it asks for that', async () => {
    const scrape = (more: object) =>
      server.api.call('POST', `/v1/browsers/${visitor.id}/scrape`, {
        body: { url: `${site.origin}/altcha`, ...more },
      });
    expect((await scrape({})).body.captcha).toMatchObject([{ type: 'altcha', state: 'detected' }]);
    expect((await scrape({ solveCaptcha: true })).body).toMatchObject({
      statusCode: 200,
      captcha: [{ type: 'altcha', state: 'solved', method: 'widget' }],
    });
    expect(await site.verifyAltcha(String(await valueIn('altcha')))).toBe(true);
    await eventually(
      () => visitor.events('captcha.solved'),
      (events) => events.some(({ type }) => type === 'altcha'),
    );
  });

  test('are solved on the way of a quick action, whatever fraction of its time is left', async () => {
    const policy = { privateAccess: { localhost: true } };
    const body = { url: `${site.origin}/altcha`, solveCaptcha: true, policy, timeoutMs: 120_000 };
    expect((await server.api.call('POST', '/v1/scrape', { body })).body).toMatchObject({
      statusCode: 200,
      captcha: [{ type: 'altcha', state: 'solved', method: 'widget' }],
    });
  });

  test('ALTCHA is clicked and its server accepts the result', async () => {
    await visitor.open(`${site.origin}/altcha`);
    const { body } = await visitor.resolve();
    expect(body).toMatchObject({
      state: 'solved',
      items: [{ type: 'altcha', state: 'solved', method: 'widget' }],
    });
    expect(body.items[0].attempts.at(-1)).toMatchObject({ solver: 'widget', outcome: 'solved' });
    expect(await site.verifyAltcha(String(await valueIn('altcha')))).toBe(true);
    expect((await visitor.captcha()).body).toMatchObject({ state: 'solved', items: [{ method: 'widget' }] });
    await eventually(
      () => visitor.events('captcha.solved'),
      (events) => events.some(({ type, method }) => type === 'altcha' && method === 'widget'),
    );
  });

  test('ALTCHA that starts by itself is only waited for', async () => {
    await visitor.open(`${site.origin}/altcha-auto`);
    expect((await visitor.resolve()).body).toMatchObject({ state: 'solved', items: [{ type: 'altcha' }] });
    expect(await site.verifyAltcha(String(await valueIn('altcha')))).toBe(true);
  });

  test('a widget that fails is not solved, and says why', async () => {
    await visitor.open(`${site.origin}/altcha-broken`);
    const { body } = await visitor.resolve({ solver: 'widget' });
    expect(body).toMatchObject({
      state: 'failed',
      items: [{ state: 'failed', method: 'widget', reason: expect.stringContaining('widget:') }],
    });
    await eventually(
      () => visitor.events('captcha.failed'),
      (events) => events.length > 0,
    );
  });

  test('Cap is clicked and its server accepts the result', async () => {
    await visitor.open(`${site.origin}/cap`);
    const { body } = await visitor.resolve();
    expect(body).toMatchObject({ state: 'solved', items: [{ type: 'cap', method: 'widget' }] });
    expect(await site.verifyCap(String(await valueIn('cap-token')))).toBe(true);
  });

  test('Friendly Captcha that turns automated browsers away is quoted', async () => {
    await visitor.open(`${site.origin}/friendly-refuses`);
    const { body } = await visitor.resolve({ solver: 'widget' });
    expect(body).toMatchObject({
      state: 'failed',
      items: [{ reason: expect.stringContaining('the widget reports: HEADLESS_ERROR') }],
    });
  });

  test('Friendly Captcha is clicked and runs to the end', async () => {
    await visitor.open(`${site.origin}/friendly`);
    const { body } = await visitor.resolve();
    expect(body).toMatchObject({
      state: 'solved',
      items: [{ type: 'friendly-captcha', sitekey: 'LOCAL', method: 'widget' }],
    });
    expect(String(await valueIn('frc-captcha-solution')).split('.')).toHaveLength(4);
  });
});

describe('pictures', () => {
  test('clear characters are read and typed; a form is left to its owner', async () => {
    await visitor.open(`${site.origin}/picture`);
    const { body } = await visitor.resolve({ solver: 'image' });
    expect(body).toMatchObject({
      state: 'detected',
      items: [
        {
          type: 'image',
          state: 'detected',
          method: 'image',
          reason: expect.stringContaining('not confirmed'),
        },
      ],
    });
    expect(await valueIn('captcha')).toBe('HELLO');
    expect((await visitor.captcha()).body.state).toBe('detected');
  });

  test('a page that is nothing but the picture is sent off, and has accepted when it gives way', async () => {
    await visitor.open(`${site.origin}/picture-gate`);
    const { body } = await visitor.resolve({ solver: 'image' });
    expect(body).toMatchObject({ state: 'solved', items: [{ category: 'blocking', method: 'image' }] });
    expect(site.sent.at(-1)?.searchParams.get('captcha')).toBe('HELLO');
  });
});

describe('a page that asks again', () => {
  test('has not accepted the answer', async () => {
    await visitor.open(`${site.origin}/picture-asks-again`);
    const { body } = await visitor.resolve({ solver: 'image' });
    expect(body).toMatchObject({
      state: 'failed',
      items: [{ reason: expect.stringContaining('asks again') }],
    });
  });
});

describe('a distorted picture', () => {
  test('that could not be read, or was read wrongly, is not called solved', async () => {
    await visitor.open(`${site.origin}/picture-distorted`);
    const { body } = await visitor.resolve({ solver: 'image' });
    expect(body).toMatchObject({ state: 'failed', items: [{ type: 'image', method: 'image' }] });
    expect(body.items[0].reason).toMatch(/could not be read|asks again/);
  });
});

describe('a provider', () => {
  test('gets the task, and its answer goes to the page, whose own function takes it', async () => {
    provider.answer = { solution: { token: 'token-of-the-provider' }, cost: '0.00145' };
    await visitor.open(`${site.origin}/turnstile-callback`);
    const { body } = await visitor.resolve({ solver: 'provider' });
    expect(body).toMatchObject({
      state: 'solved',
      items: [{ method: 'provider', attempts: [{ solver: 'provider', outcome: 'solved', cost: '0.00145' }] }],
    });
    expect(provider.calls[0]).toEqual({
      method: 'createTask',
      body: {
        clientKey: providerKey,
        task: {
          type: 'TurnstileTaskProxyless',
          websiteURL: `${site.origin}/turnstile-callback`,
          websiteKey: sitekey,
        },
      },
    });
    expect(await visitor.run('return page.title()')).toBe('took token-of-the-provider');
  });

  test('whose answer lies in a form that has not judged it has solved nothing', async () => {
    provider.answer = { solution: { token: 'token-of-the-provider' } };
    await visitor.open(`${site.origin}/turnstile`);
    const expected = { state: 'detected', items: [{ state: 'detected', method: 'provider' }] };
    expect((await visitor.resolve({ solver: 'provider' })).body).toMatchObject(expected);
    expect(await valueIn('cf-turnstile-response')).toBe('token-of-the-provider');
    expect((await visitor.captcha()).body).toMatchObject(expected);
  });

  test('that refuses is quoted, without the key', async () => {
    provider.answer = { errorId: 1, errorCode: 'ERROR_ODD', errorDescription: `${providerKey} is odd` };
    await visitor.open(`${site.origin}/recaptcha`);
    const { body } = await visitor.resolve({ solver: 'provider' });
    expect(body).toMatchObject({ state: 'failed', items: [{ state: 'failed' }] });
    expect(body.items[0].reason).toContain('the provider refused (ERROR_ODD): [key] is odd');
    expect(JSON.stringify([body, await visitor.events('captcha.failed')])).not.toContain(providerKey);
  });
});

describe('nothing is called solved that the page did not accept', () => {
  test('a click that was not enough; and a second call meanwhile is refused', async () => {
    await visitor.open(`${site.origin}/recaptcha`);
    const first = visitor.resolve({ solver: 'widget' });
    await eventually(
      () => visitor.captcha(),
      ({ body }) => body.state === 'solving',
    );
    expect(await visitor.resolve()).toMatchObject({
      status: 409,
      body: { error: { code: 'CAPTCHA_SOLVING' } },
    });
    const { body } = await first;
    expect(body).toMatchObject({
      state: 'failed',
      items: [{ type: 'recaptcha-v2', state: 'failed', method: 'widget' }],
    });
  });

  test('an unknown widget whose field is filled but which shows nothing', async () => {
    await visitor.open(`${site.origin}/stranger`);
    const { body } = await visitor.resolve({ solver: 'widget' });
    expect(body).toMatchObject({
      state: 'failed',
      items: [{ type: 'unknown', reason: expect.stringContaining('nothing in the widget shows') }],
    });
    expect((await visitor.captcha()).body.state).toBe('failed');
  });

  test('the time is over, and every solver says why it did not help', async () => {
    await visitor.open(`${site.origin}/recaptcha`);
    const { body } = await visitor.resolve({ timeoutMs: 3000 });
    expect(body).toMatchObject({ state: 'failed' });
    expect(body.items[0].attempts).toMatchObject([
      { solver: 'wait', outcome: 'skipped' },
      { solver: 'widget', outcome: 'failed' },
      { solver: 'image', outcome: 'skipped' },
      { solver: 'provider', outcome: 'skipped' },
      { solver: 'human', outcome: 'skipped' },
    ]);
  });
});

test('a person is asked in by an event, does it in the live view, and the page says that it accepted', async () => {
  await visitor.open(`${site.origin}/altcha`);
  const solving = visitor.resolve({ solver: 'human' });
  const [asked] = await eventually(
    () => visitor.events('captcha.needs_human'),
    (events) => events.length > 0,
  );
  expect(asked).toMatchObject({ type: 'altcha', url: expect.stringContaining(`/live/${visitor.id}#bdc_`) });
  const [, token] = asked.url.split('#');
  const live = `${server.api.url.replace('http', 'ws')}/v1/browsers/${visitor.id}/live?token=${token}`;
  const person = await watch(live);
  const where = `const label = page.locator('altcha-widget label').first();
    await label.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await label.boundingBox();
    return { x: x + width / 2, y: y + height / 2 }`;
  const at = { ...((await visitor.run(where)) as object), button: 'left', clicks: 1 };
  person.say({ type: 'mouse', kind: 'down', ...at, buttons: 1 });
  person.say({ type: 'mouse', kind: 'up', ...at });
  const { body } = await solving;
  expect(body).toMatchObject({ state: 'solved', items: [{ type: 'altcha', method: 'human' }] });
  expect(await visitor.events('capability.issued')).toMatchObject([
    { kind: 'live', mode: 'control', purpose: 'captcha' },
  ]);
  expect(await site.verifyAltcha(String(await valueIn('altcha')))).toBe(true);
});

describe('an end of the call', () => {
  test('a caller that hangs up ends it', async () => {
    await visitor.open(`${site.origin}/recaptcha`);
    const hangUp = new AbortController();
    const call = fetch(`${server.api.url}/v1/browsers/${visitor.id}/captcha/resolve`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.api.key}` },
      signal: hangUp.signal,
    }).catch(() => undefined);
    await eventually(
      () => visitor.captcha(),
      ({ body }) => body.state === 'solving',
    );
    hangUp.abort();
    await call;
    await eventually(
      () => visitor.captcha(),
      ({ body }) => body.state === 'detected',
    );
  });

  test('a browser that is closed meanwhile ends it', async () => {
    const other = await createVisitor(server, { startUrl: `${site.origin}/recaptcha` });
    const call = other.resolve({ solver: 'widget' });
    await eventually(
      () => other.captcha(),
      ({ body }) => body.state === 'solving',
    );
    await server.api.remove(other.id);
    expect(await call).toMatchObject({ status: 409, body: { error: { code: 'BROWSER_NOT_READY' } } });
  });
});
