import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchRig, type Pages, type Rig, servePages } from '../../chromium/pipe/mux.fixture.ts';
import type { PageTarget } from '../reach/page-target.ts';
import { Captchas, detectCaptchas } from './captcha.ts';
import { resolveAll } from './resolve.ts';
import { humanSolver } from './solvers/human.ts';
import { widgetSolver } from './solvers/widget.ts';

/** On pages that belong to no browser record, as quick actions have them. */
const widget = `<div class="zz-captcha" style="margin-top:1200px;width:240px;height:60px">
  <span role="checkbox" aria-checked="false" style="display:inline-block;width:24px;height:24px;border:1px solid">&nbsp;</span> I am human
  <input type="hidden" name="zz-captcha-response"></div>
<script>document.querySelector('[role=checkbox]').addEventListener('click', (event) => {
  if (!event.isTrusted) return;
  event.target.setAttribute('aria-checked', 'true');
  document.querySelector('[name=zz-captcha-response]').value = 'accepted-by-the-widget';
})</script>`;
const form = (inside: string): string =>
  `<!doctype html><title>form</title><form><input name="email">${inside}</form>`;

let rig: Rig;
let site: Pages;
let page: PageTarget;

beforeAll(async () => {
  rig = await launchRig();
  site = await servePages({
    '/widget': form(widget),
    '/picture': form(
      '<label>Characters in the image <img src="/x.png" alt="captcha" width="200" height="60"><input name="captcha"></label>',
    ),
    '/thanks': '<!doctype html><title>thanks</title>',
    '/large': `<!doctype html><title>large</title><body class="captcha-site"><div class="captcha-wrap">${'<p class="captcha-line">x <a href="#">captcha</a></p>'.repeat(10_000)}</div></body>`,
  });
  const { cdp } = rig.chromium;
  const { targetInfos } = await cdp.send('Target.getTargets');
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId ?? '';
  const { sessionId } = await cdp.send('Target.attachToTarget', { targetId, flatten: true });
  await cdp.send('Page.enable', undefined, { sessionId });
  page = { cdp, sessionId, targetId, blocker: () => undefined };
});
afterAll(async () => {
  await rig[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function open(url: string): Promise<void> {
  const { cdp, sessionId } = page;
  const { promise, resolve } = Promise.withResolvers<void>();
  const off = cdp.on('Page.loadEventFired', () => resolve());
  await cdp.send('Page.navigate', { url }, { sessionId });
  await promise;
  off();
}

const run = (expression: string) =>
  page.cdp.send('Runtime.evaluate', { expression, awaitPromise: true }, { sessionId: page.sessionId });

const signal = new AbortController().signal;

test('a check box far down in a frame of another process is clicked as a person would', async () => {
  await open(`${site.origin}/thanks`);
  await run(
    `new Promise((resolve) => { document.body.innerHTML = '<div style="height:900px"></div><iframe src="${site.otherOrigin}/widget" width="400" height="300"></iframe>'; document.querySelector('iframe').onload = resolve; })`,
  );
  expect(await detectCaptchas(page)).toMatchObject([
    { type: 'unknown', state: 'detected', category: 'form' },
  ]);
  const options = { solvers: [widgetSolver], timeoutMs: 30_000, tabId: page.targetId };
  const [resolved] = await resolveAll(page, options, signal);
  expect(resolved?.item).toMatchObject({ type: 'unknown', state: 'solved', method: 'widget' });
  expect(resolved?.item.frameId).not.toBe(page.targetId);
});

test('a person who is asked in answers, and the page moves on', async () => {
  await open(`${site.origin}/picture`);
  const asked: string[] = [];
  const human = humanSolver(async ({ type }) => {
    asked.push(type);
    await run(
      "document.querySelector('[name=captcha]').value = 'x7k2'; setTimeout(() => { location.href = '/thanks'; }, 1000)",
    );
    return { url: 'https://example.com/live', expiresAt: new Date().toISOString() };
  });
  const options = { solvers: [human], timeoutMs: 30_000, tabId: page.targetId };
  const [resolved] = await resolveAll(page, options, signal);
  expect({ asked, item: resolved?.item }).toMatchObject({
    asked: ['image'],
    item: { type: 'image', state: 'solved', method: 'human' },
  });
});

test('a page that was left without an answer has accepted nothing', async () => {
  await open(`${site.origin}/picture`);
  const human = humanSolver(async () => {
    await run("location.href = '/thanks'");
    return { url: 'https://example.com/live', expiresAt: '' };
  });
  const [resolved] = await resolveAll(
    page,
    { solvers: [human], timeoutMs: 30_000, tabId: page.targetId },
    signal,
  );
  expect(resolved?.item).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('gone from the page'),
  });
});

test('a person who does not come leaves it open until the time is over', async () => {
  await open(`${site.origin}/picture`);
  const human = humanSolver(async () => ({ url: 'https://example.com/live', expiresAt: '' }));
  const options = { solvers: [human], timeoutMs: 700, tabId: page.targetId };
  const [resolved] = await resolveAll(page, options, signal);
  expect(resolved?.item).toMatchObject({ state: 'failed', method: 'human' });
  expect(resolved?.item.reason).toMatch(/not through within \d+ ms/);
});

test('without a live view, on a page without an owner, people are not asked, and that is said', async () => {
  await open(`${site.origin}/picture`);
  const captchas = new Captchas({
    browsers: { use: () => Promise.reject(new Error('there are none')) },
    events: { note: () => undefined },
    solvers: ['human', 'provider'],
  });
  const [item] = await captchas.resolvePage(page, 5000, signal);
  expect(item).toMatchObject({
    state: 'failed',
    attempts: [
      { solver: 'human', outcome: 'skipped', reason: 'there is no live view to ask a person into' },
      { solver: 'provider', outcome: 'skipped', reason: 'no provider is configured' },
    ],
  });
  await captchas.close();
});

test('a page of tens of thousands of elements that all say captcha is looked at within the time of one look', async () => {
  await open(`${site.origin}/large`);
  expect(await detectCaptchas(page)).toEqual([]);
});
