/** Frames, also of other sites in processes of their own, and workers of every kind. */
import type { Frame, Worker } from 'playwright-core';
import { type Checks, failureOf, type World } from '../check.ts';

/** A frame of another site, which Chromium runs in a process of its own. */
async function foreign({ page, site }: World, path: string): Promise<Frame> {
  await page.goto(`${site.origin}/plain`);
  const [frame] = await Promise.all([
    page.waitForEvent('framenavigated', (each) => each.url() === site.otherOrigin + path),
    page.evaluate(
      `void document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.otherOrigin}${path}', name: 'foreign', width: 600, height: 300 }))`,
    ),
  ]);
  await frame.waitForLoadState();
  return frame;
}

export const frames: Checks = {
  'the tree of frames': async ({ page, site }) => {
    await page.goto(`${site.origin}/frames`);
    return page
      .frames()
      .map((frame) => [frame.name(), new URL(frame.url()).pathname, frame.parentFrame()?.name() ?? null]);
  },
  'a frame and its element': async ({ page, site }) => {
    await page.goto(`${site.origin}/frames`);
    const frame = page.frame('first');
    const element = await frame?.frameElement();
    return [
      await element?.getAttribute('src'),
      (await element?.contentFrame()) === frame,
      await frame?.title(),
    ];
  },
  'frames that come and go': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const seen: string[] = [];
    page.on('frameattached', () => seen.push('attached'));
    page.on('framenavigated', (frame) => seen.push(`navigated ${new URL(frame.url()).pathname}`));
    const gone = page.waitForEvent('framedetached');
    await page.evaluate(
      "new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '/other'; frame.onload = () => { frame.remove(); resolve() }; document.body.append(frame) })",
    );
    const frame = await gone;
    return [seen, frame.isDetached(), await failureOf(frame.evaluate('1'))];
  },
  'a frame with its own text': async ({ page }) => {
    await page.setContent('<iframe srcdoc="<title>within</title>"></iframe>');
    const [, inner] = page.frames();
    await inner?.waitForLoadState();
    return [inner?.url(), await inner?.title()];
  },
  'a frame of another site': async (world) => {
    const frame = await foreign(world, '/form');
    return [
      frame.url(),
      await frame.title(),
      await frame.evaluate('location.origin !== parent.origin'),
      frame.parentFrame() === world.page.mainFrame(),
    ];
  },
  'typing into a frame of another site': async (world) => {
    const frame = await foreign(world, '/form');
    await frame.fill('[name=who]', 'Ann');
    await frame.focus('[name=who]');
    await world.page.keyboard.type(' B');
    await frame.selectOption('select', 'L');
    await Promise.all([frame.waitForURL('**/sent?*'), frame.click('button')]);
    return frame.textContent('#query');
  },
  'by a locator into a frame of another site': async (world) => {
    await foreign(world, '/form');
    const inner = world.page.frameLocator('iframe');
    await inner.getByLabel('Who').fill('Bo');
    return inner.getByLabel('Who').inputValue();
  },
  'the requests of a frame of another site': async (world) => {
    const seen: unknown[] = [];
    world.page.on('request', (request) =>
      seen.push([request.resourceType(), new URL(request.url()).pathname, request.frame().name()]),
    );
    await foreign(world, '/parts');
    return seen;
  },
  'init scripts and functions in a frame of another site': async (world) => {
    await world.page.addInitScript('window.fromInit = "yes"');
    await world.page.exposeFunction('plus', (a: number, b: number) => a + b);
    const frame = await foreign(world, '/init');
    return [await frame.title(), await frame.evaluate('plus(1, 2)')];
  },
  'the console of a frame of another site': async (world) => {
    const [message] = await Promise.all([world.page.waitForEvent('console'), foreign(world, '/talks')]);
    return [message.text(), new URL(message.location().url).host === new URL(world.site.otherOrigin).host];
  },
  'a frame that moves to another site and back': async (world) => {
    const frame = await foreign(world, '/other');
    const seen = [await frame.title()];
    await frame.goto(`${world.site.origin}/form`);
    seen.push(await frame.title());
    await frame.goto(`${world.site.otherOrigin}/plain`);
    return [...seen, await frame.title(), world.page.frames().length];
  },
  'what a frame of another site sees': async (world) => {
    const frame = await foreign(world, '/plain');
    return frame.evaluate('[innerWidth, innerHeight, devicePixelRatio, navigator.language]');
  },
  'a worker': async ({ page, site }) => {
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${site.origin}/worker`)]);
    return [worker.url(), await worker.evaluate('self.answer'), page.workers().length];
  },
  'the console and requests of a worker': async ({ page, site }) => {
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const [message] = await Promise.all([page.waitForEvent('console'), page.goto(`${site.origin}/worker`)]);
    await page.waitForFunction("document.title === 'worker done'");
    return [message.text(), requests];
  },
  'a worker that ends': async ({ page, site }) => {
    const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`${site.origin}/worker`)]);
    const [closed] = await Promise.all([
      new Promise<Worker>((resolve) => worker.once('close', resolve)),
      page.evaluate('worker.terminate()'),
    ]);
    return [closed === worker, page.workers().length];
  },
  'a worker from a text': async ({ page, site }) => {
    await page.goto(`${site.origin}/plain`);
    const [worker] = await Promise.all([
      page.waitForEvent('worker'),
      page.evaluate(
        "void (window.kept = new Worker(URL.createObjectURL(new Blob(['self.made = [navigator.language, navigator.onLine !== undefined]']))))",
      ),
    ]);
    return [worker.url().startsWith(`blob:${site.origin}`), await worker.evaluate('self.made')];
  },
  'a shared worker': async ({ page, site }) => {
    await page.goto(`${site.origin}/shared`);
    await page.waitForFunction("document.title !== 'shared'");
    return page.title();
  },
  'a service worker': async ({ page, context, site }) => {
    const [worker] = await Promise.all([
      context.waitForEvent('serviceworker'),
      page.goto(`${site.origin}/service`),
    ]);
    await page.evaluate('ready');
    const [response] = await Promise.all([
      page.waitForResponse('**/from-worker'),
      page.evaluate("fetch('/from-worker')"),
    ]);
    return [
      worker.url(),
      await worker.evaluate('self.answer'),
      response.fromServiceWorker(),
      await response.text(),
      context.serviceWorkers().length,
    ];
  },
};
