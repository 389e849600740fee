/** What a hostile caller with a key does: scripts that flood the wires of their runner, sockets, and bodies. */
import { once } from 'node:events';
import { WebSocket } from 'ws';
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

const post =
  (path: string, body: string, atOnce = 4): Attack =>
  async (world) => {
    const one = () =>
      again(world, async () => {
        const { status } = await world.ask('POST', path, body);
        if (status === 429) throw new Error('too fast');
      });
    await Promise.all(Array.from({ length: atOnce }, one));
  };

async function socketOf(world: World, id: string): Promise<WebSocket> {
  const { text } = await world.ask('POST', `/v1/browsers/${id}/capabilities`, { kind: 'cdp' });
  const { url } = JSON.parse(text) as { url: string };
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  return socket;
}

/** Sends as fast as the socket takes it. */
const flood =
  (message: (n: number) => string): Attack =>
  (world) =>
    inBrowsers(world, async (id) => {
      const socket = await socketOf(world, id);
      const closed = once(socket, 'close');
      let n = 0;
      const timer = setInterval(() => {
        for (let k = 0; k < 2000 && socket.bufferedAmount < 4 * 1024 ** 2; k++) socket.send(message(n++));
      }, 5);
      world.until.addEventListener('abort', () => socket.terminate());
      socket.on('message', () => undefined);
      await closed.finally(() => clearInterval(timer));
    });

const manyValues = `{"name":"a","metadata":{${Array.from({ length: 600_000 }, (_, n) => `"k${n}":1`).join()}}}`;
const refused = JSON.stringify({ name: 'a', metadata: { a: 'x'.repeat(9.9e6) }, zzz: 1 });
const wide = JSON.stringify({
  cookies: Array.from({ length: 30_000 }, (_, n) => ({ nme: `c${n}`, value: 1 })),
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
  'script: returns 9 MB of small values': inScripts(`return Array.from({length: 900000}, (_, n) => n)`),
  'socket: small commands as fast as it can': flood(
    (n) => `{"id":${n},"method":"Target.getTargets","params":{}}`,
  ),
  'socket: commands that are refused': flood((n) => `{"id":${n},"method":"Browser.crash"}`),
  'socket: texts that are no commands': flood(() => 'x'),
  'socket: commands of 50 MB': (world) =>
    inBrowsers(world, async (id) => {
      const socket = await socketOf(world, id);
      const closed = once(socket, 'close');
      const text = `{"id":1,"method":"Runtime.evaluate","params":{"expression":"${'x'.repeat(50e6)}"}}`;
      const timer = setInterval(() => {
        if (socket.bufferedAmount < 1024) socket.send(text);
      }, 20);
      world.until.addEventListener('abort', () => socket.terminate());
      socket.on('message', () => undefined);
      await closed.finally(() => clearInterval(timer));
    }),
  'socket: asks and does not read': (world) =>
    inBrowsers(world, async (id) => {
      const socket = await socketOf(world, id);
      const closed = once(socket, 'close');
      socket.pause();
      const timer = setInterval(() => {
        for (let n = 0; n < 500; n++) socket.send(`{"id":${n},"method":"Target.getTargets","params":{}}`);
      }, 10);
      const ended = new Promise((resolve) => world.until.addEventListener('abort', resolve));
      await Promise.race([closed, ended]).finally(() => clearInterval(timer));
      socket.terminate();
    }),
  'body: 600,000 small values': post('/v1/browsers', manyValues),
  'body: 10 MB that the schema refuses': post('/v1/browsers', refused),
  'body: 30,000 faults': post('/v1/browsers', wide),
  'body: 600,000 small values to /mcp': post('/mcp', manyValues),
  'body: 10 MB to /mcp': post('/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(9.9e6) })),
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
    const file = Buffer.alloc(50 * 1024 ** 2, 'x').toString('latin1');
    await again(world, async () => {
      await world.ask('POST', `/v1/browsers/${id}/files`, file);
    });
  },
};
