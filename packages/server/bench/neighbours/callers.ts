/** What a hostile caller with a key does: scripts that flood the wires of their runner, and calls. */
import { again, browsers, create, execute, inBrowsers, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;

const inScripts =
  (code: string): Attack =>
  (world) =>
    inBrowsers(world, async (id) => {
      for (;;) {
        world.until.throwIfAborted();
        await execute(world, id, code, 20_000);
      }
    });

export const callerAttacks: Record<string, Attack> = {
  'script: floods the wire to Chromium': inScripts(
    `for (let n = 0; n < 40000; n++) { page.evaluate('1').catch(() => 0); if (n % 200 === 0) await sleep(0) }`,
  ),
  'script: floods the control channel': inScripts(
    `for (let n = 0; n < 300000; n++) { console.log(n, 'x'.repeat(50)); if (n % 1000 === 0) await sleep(0) }`,
  ),
  'script: floods the streams': (world) => {
    world.pages.set('/small', (_, response) => response.writeHead(204).end());
    return inScripts(
      `const ask = async () => { for (let n = 0; n < 300; n++) await context.request.get('${world.site}/small').catch(() => 0) }; await Promise.all(Array.from({length: 20}, ask))`,
    )(world);
  },
  'script: asks for 60 MB from its page': inScripts(
    `for (let n = 0; n < 20; n++) await page.evaluate(() => 'x'.repeat(60e6).length && 'x'.repeat(60e6))`,
  ),
  'script: returns 6 MB of small values': inScripts(`return Array.from({length: 900000}, (_, n) => n)`),
  'requests: lists and reads as fast as it can': async (world) => {
    const one = () => again(world, async () => void (await world.ask('GET', '/v1/browsers?limit=100')));
    await Promise.all(Array.from({ length: 64 }, one));
  },
  'requests: creates and deletes': (world) => inBrowsers(world, async () => undefined),
  'requests: screenshots of very long pages': async (world) => {
    world.pages.set('/long', (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<div style="height:15000px;background:linear-gradient(red,blue)">`),
    );
    await inBrowsers(world, async (id) => {
      await execute(world, id, `await page.goto('${world.site}/long')`);
      await again(world, () => world.ask('POST', `/v1/browsers/${id}/screenshot`, { fullPage: true }));
    });
  },
  'requests: scrapes of 100,000 elements': async (world) => {
    world.pages.set('/wide', (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<main>${'<p>some words <a href=/a>link</a>'.repeat(50_000)}</main>`),
    );
    const one = () =>
      again(world, async () => {
        const policy = { privateAccess: { localhost: true } };
        await world.ask('POST', '/v1/scrape', { url: `${world.site}/wide`, policy });
      });
    await Promise.all(Array.from({ length: browsers }, one));
  },
  'uploads: files of 50 MB': async (world) => {
    const id = await create(world);
    const bytes = Buffer.alloc(50 * 1024 ** 2, 'x');
    await again(world, async () => {
      const { text } = await world.ask('POST', `/v1/browsers/${id}/files?name=large`, bytes);
      const file = JSON.parse(text) as { id: string };
      await world.ask('DELETE', `/v1/browsers/${id}/files/${file.id}`);
    });
  },
};
