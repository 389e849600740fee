/** Pages that pages open: with an opener and without, and whether a client is there before they run. */
import type { Page } from 'playwright-core';
import { type Checks, heard, type World } from '../check.ts';

/** What opens when the page is told to. */
async function opened({ page }: World, code: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(`void (${code})`)]);
  await popup.waitForLoadState();
  return popup;
}

export const popups: Checks = {
  'a popup with an opener': async (world) => {
    await world.page.goto(`${world.site.origin}/links`);
    const popup = await opened(world, "open('/other')");
    return [
      popup.url(),
      await popup.title(),
      (await popup.opener()) === world.page,
      await popup.evaluate('opener !== null'),
    ];
  },
  'a popup without an opener': async (world) => {
    await world.page.goto(`${world.site.origin}/links`);
    const popup = await opened(world, "open('/other', '_blank', 'noopener')");
    return [popup.url(), (await popup.opener()) === world.page, await popup.evaluate('opener')];
  },
  'links that open a page': async ({ page, context, site }) => {
    await page.goto(`${site.origin}/links`);
    const seen: unknown[] = [];
    for (const link of ['#blank', '#noopener']) {
      const [popup] = await Promise.all([context.waitForEvent('page'), page.click(link)]);
      await popup.waitForLoadState();
      seen.push([
        link,
        popup.url(),
        await popup.evaluate('opener !== null'),
        await popup.evaluate('document.referrer'),
      ]);
    }
    return seen;
  },
  'a link with the middle button': async ({ page, context, site }) => {
    await page.goto(`${site.origin}/links`);
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      page.click('#same', { button: 'middle' }),
    ]);
    await popup.waitForLoadState();
    return [popup.url(), await popup.evaluate('document.visibilityState')];
  },
  'an empty popup that its opener writes': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const popup = await opened(world, "open('').document.write('<title>written</title>')");
    return [popup.url(), await popup.title()];
  },
  'popups get the init scripts before they run': async (world) => {
    await world.context.addInitScript('window.fromInit = "yes"');
    await world.page.goto(`${world.site.origin}/plain`);
    const titles: string[] = [];
    for (const features of ['', 'noopener', 'width=300,height=200']) {
      const popup = await opened(world, `open('/init', '_blank', '${features}')`);
      titles.push(await popup.title());
    }
    return titles;
  },
  'popups are routed': async (world) => {
    const routed: string[] = [];
    await world.context.route('**/other*', (route) => {
      routed.push(new URL(route.request().url()).search);
      return route.fulfill({ contentType: 'text/html', body: '<title>routed</title>' });
    });
    await world.page.goto(`${world.site.origin}/plain`);
    const titles: string[] = [];
    for (const features of ['', 'noopener', 'popup'])
      titles.push(await (await opened(world, `open('/other?${features}', '_blank', '${features}')`)).title());
    return [routed, titles];
  },
  'the first words of a popup': async (world) => {
    const { context, page, site } = world;
    await page.goto(`${site.origin}/plain`);
    const first = heard<{ text(): string }>((listener) => context.on('console', listener));
    await opened(world, "open('/talks')");
    return (await first).text();
  },
  'a popup that alerts while it loads': async (world) => {
    const { context, page, site } = world;
    await page.goto(`${site.origin}/plain`);
    const said: string[] = [];
    context.on('dialog', (dialog) => {
      said.push(`${dialog.type()} ${dialog.message()}`);
      void dialog.accept();
    });
    const popup = await opened(world, "open('/alerts')");
    return [said, await popup.title()];
  },
  'messages between popup and opener': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    await world.page.evaluate(
      'window.heard = new Promise((resolve) => { onmessage = ({ data }) => resolve(data) })',
    );
    const popup = await opened(world, "window.other = open('/other')");
    await popup.evaluate("opener.postMessage('from the popup', '*')");
    return world.page.evaluate('heard');
  },
  'a popup under a name is used again': async (world) => {
    const { page, context, site } = world;
    await page.goto(`${site.origin}/plain`);
    const popup = await opened(world, "open('/other', 'named')");
    const before = context.pages().length;
    await Promise.all([popup.waitForURL('**/form'), page.evaluate("void open('/form', 'named')")]);
    return [context.pages().length === before, await popup.title()];
  },
  'a popup that its opener closes': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const popup = await opened(world, "window.other = open('/other')");
    await Promise.all([popup.waitForEvent('close'), world.page.evaluate('other.close()')]);
    return [popup.isClosed(), await world.page.evaluate('other.closed')];
  },
  'a popup that closes itself': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const popup = await opened(world, "open('/other')");
    await Promise.all([popup.waitForEvent('close'), popup.evaluate('setTimeout(close, 0)')]);
    return popup.isClosed();
  },
  'a popup of a popup': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const popup = await opened(world, "open('/links')");
    const second = await opened({ ...world, page: popup }, "open('/other')");
    return [(await second.opener()) === popup, await second.evaluate('opener.opener !== null')];
  },
  'a popup of another site': async (world) => {
    await world.page.goto(`${world.site.origin}/plain`);
    const popup = await opened(world, `open('${world.site.otherOrigin}/other')`);
    return [popup.url(), await popup.title(), await popup.evaluate('document.referrer')];
  },
  'the functions of a client in a popup': async (world) => {
    await world.context.exposeFunction('twice', (n: number) => n * 2);
    await world.page.goto(`${world.site.origin}/plain`);
    return (await opened(world, "open('/other')")).evaluate('twice(21)');
  },
};
