/** What a hostile page does by being visited. */
import { watch } from './sockets.ts';
import { again, browsers, create, inBrowsers, visit, type World } from './world.ts';

type Attack = (world: World) => Promise<void>;

const script = (code: string): string => `<!doctype html><title>page</title><body><script>${code}</script>`;

/** As often as the page's own timers let it. */
const forever = (code: string): string =>
  script(`const turn = async () => { try { ${code} } catch {} setTimeout(turn) }; turn()`);

/** One after another without end from the attacker's site. */
const pour = (world: World): void => {
  const block = Buffer.alloc(256 * 1024, 'x');
  world.pages.set('/pour', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const write = (): void => {
      while (!response.destroyed && response.write(block));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  });
};

export const pageAttacks: Record<string, Attack> = {
  'page: frame with a name of 120 MB': (world) =>
    visit(
      world,
      script(
        `const f = document.createElement('iframe'); f.name = 'x'.repeat(120e6); document.body.append(f)`,
      ),
    ),
  'page: rewrites 5 MB of local storage': (world) =>
    visit(world, forever(`localStorage.setItem('a', Math.random() + 'x'.repeat(5e6))`)),
  'page: many small writes to local storage': (world) =>
    visit(world, forever(`for (let n = 0; n < 2000; n++) localStorage.setItem('k' + n % 50, Math.random())`)),
  'page: local storage of many origins': async (world) => {
    // localhost has as many names as one likes
    const { port } = new URL(world.site);
    world.pages.set('/page', (incoming, response) => {
      const n = Number(/o(\d+)\./.exec(incoming.headers.host ?? '')?.[1] ?? 0) + 1;
      const next = `http://o${n}.localhost:${port}/page`;
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          script(
            `localStorage.setItem('a', 'x'.repeat(4e6)); setTimeout(() => location.href = '${next}', 300)`,
          ),
        );
    });
    await inBrowsers(world, async (id) => {
      const code = `await page.goto('http://o0.localhost:${port}/page', {waitUntil: 'commit'}); await sleep(100000)`;
      await world.ask('POST', `/v1/browsers/${id}/script/execute`, { code, timeoutMs: 110_000 });
    });
  },
  'page: floods pushState': (world) =>
    visit(world, forever(`for (let n = 0; n < 180; n++) history.pushState(0, '', '?' + Math.random())`)),
  'page: floods pushState with addresses of 1 MB': (world) =>
    visit(
      world,
      forever(`for (let n = 0; n < 20; n++) history.pushState(0, '', '?' + Math.random() + 'x'.repeat(1e6))`),
    ),
  'page: popups with addresses of 2 MB': (world) =>
    visit(
      world,
      forever(
        `const w = open('about:blank#' + 'x'.repeat(1.9e6)); await new Promise(r => setTimeout(r, 20)); w?.close()`,
      ),
    ),
  'page: changes its title with 1 MB': (world) =>
    visit(world, forever(`document.title = Math.random() + 'x'.repeat(1e6)`)),
  'page: frames that come and go': (world) =>
    visit(
      world,
      forever(
        `for (let n = 0; n < 20; n++) { const f = document.createElement('iframe'); document.body.append(f); f.remove() }`,
      ),
    ),
  'page: pulls bytes through the exit': (world) => {
    pour(world);
    return visit(
      world,
      script(
        `for (let n = 0; n < 6; n++) fetch('/pour').then(async (r) => { for await (const _ of r.body); })`,
      ),
    );
  },
  'page: thousands of small requests': (world) => {
    world.pages.set('/small', (_, response) => response.writeHead(204).end());
    return visit(
      world,
      script(
        `const turn = () => fetch('/small?' + Math.random()).catch(() => 0).then(turn); for (let n = 0; n < 100; n++) turn()`,
      ),
    );
  },
  'page: requests that the policy refuses': (world) =>
    visit(
      world,
      script(
        `const turn = () => fetch('http://10.0.0.' + (Math.random() * 250 | 0) + ':81/' + Math.random(), {mode: 'no-cors'}).catch(() => 0).then(turn); for (let n = 0; n < 100; n++) turn()`,
      ),
    ),
  'page: names that never resolve': (world) =>
    visit(
      world,
      script(
        `const turn = () => fetch('http://' + Math.random().toString(36).slice(2) + '.slow/', {mode: 'no-cors'}).catch(() => 0).then(turn); for (let n = 0; n < 200; n++) turn()`,
      ),
    ),
  'page: errors in its console': (world) =>
    visit(world, forever(`for (let n = 0; n < 500; n++) console.error(Math.random(), 'x'.repeat(1000))`)),
  'page: dialogs': (world) => visit(world, forever(`alert(Math.random())`)),
  'page: downloads': (world) => {
    world.pages.set('/file', (_, response) =>
      response
        .writeHead(200, { 'content-disposition': 'attachment; filename="a.bin"' })
        .end('x'.repeat(1000)),
    );
    return visit(
      world,
      forever(
        `const a = document.createElement('a'); a.href = '/file?' + Math.random(); a.download = 'a'; a.click(); await new Promise(r => setTimeout(r, 10))`,
      ),
    );
  },
  'page: writes gigabytes to its profile': (world) =>
    visit(
      world,
      script(
        `(async () => { const c = await caches.open('a').catch(() => 0); const root = await navigator.storage.getDirectory(); const f = await root.getFileHandle('big', {create: true}); const w = await f.createWritable(); const block = new Uint8Array(16e6).fill(7); for (;;) { await w.write(block) } })()`,
      ),
    ),
  'page: takes memory in three tabs': (world) =>
    visit(
      world,
      script(
        `if (!location.hash) for (let n = 0; n < 2; n++) open(location.href + '#' + n); window.kept = []; setInterval(() => { const a = new Uint8Array(64e6); for (let n = 0; n < a.length; n += 4096) a[n] = 1; kept.push(a) }, 50)`,
      ),
    ),
  'page: busy loops in ten frames and workers': (world) =>
    visit(
      world,
      script(
        `const busy = URL.createObjectURL(new Blob(['for(;;);'])); for (let n = 0; n < 4; n++) new Worker(busy); setTimeout(() => { for (;;); })`,
      ),
    ),
  'page: animation that is recorded and watched': async (world) => {
    world.pages.set('/page', (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<canvas id=c width=1280 height=720></canvas><script>const g = c.getContext('2d'); const turn = () => { for (let n = 0; n < 200; n++) { g.fillStyle = 'rgb(' + [0,0,0].map(() => Math.random()*255|0) + ')'; g.fillRect(Math.random()*1280, Math.random()*720, 99, 99) } requestAnimationFrame(turn) }; turn()</script>`,
        ),
    );
    const one = () =>
      again(world, async () => {
        const id = await create(world, { startUrl: `${world.site}/page`, recording: true });
        await watch(world, id);
        await world.ask('DELETE', `/v1/browsers/${id}`);
      });
    await Promise.all(Array.from({ length: browsers }, one));
  },
};
