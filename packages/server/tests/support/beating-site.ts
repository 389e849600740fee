import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './server.ts';

/**
 * A site whose page calls it ten times a second, under a name that it gives itself when it loads: two names are two lives of
 * the page. The first life leaves a cookie, which tells later ones of it.
 */
export interface BeatingSite extends AsyncDisposable {
  page(browser: string): string;
  beats: Beat[];
  /** The lives of the page in one browser, in the order in which they were first heard. */
  lives(browser: string): string[];
  ofLife(life: string): Beat[];
  /** Resolves when a life that is none of these beats. */
  anotherThan(browser: string, known: readonly string[]): Promise<string>;
  /** Resolves when this life has beaten once more. */
  again(life: string): Promise<void>;
}

export interface Beat {
  browser: string;
  life: string;
  at: number;
  /** What the cookie of the first life says. */
  first: string | undefined;
}

const page = `<!doctype html><title>beats</title><script>
const life = Math.random().toString(36).slice(2);
if (!document.cookie.includes('first=')) document.cookie = 'first=' + life + '; path=/; max-age=86400';
setInterval(() => fetch('/beat' + location.search + '&life=' + life).catch(() => {}), 100);
</script>`;

export async function startBeatingSite(): Promise<BeatingSite> {
  const beats: Beat[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (pathname === '/page') return void response.setHeader('content-type', 'text/html').end(page);
    if (pathname === '/beat')
      beats.push({
        browser: searchParams.get('browser') ?? '',
        life: searchParams.get('life') ?? '',
        at: Date.now(),
        first: /first=(\w+)/.exec(request.headers.cookie ?? '')?.[1],
      });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const lives = (browser: string): string[] => [
    ...new Set(beats.filter((beat) => beat.browser === browser).map(({ life }) => life)),
  ];
  const ofLife = (life: string): Beat[] => beats.filter((beat) => beat.life === life);
  return {
    page: (browser) => `http://127.0.0.1:${port}/page?browser=${browser}`,
    beats,
    lives,
    ofLife,
    async anotherThan(browser, known) {
      const found = await eventually(
        async () => lives(browser).find((life) => !known.includes(life)),
        (life) => life !== undefined,
      );
      return found as string;
    },
    async again(life) {
      const before = ofLife(life).length;
      await eventually(
        async () => ofLife(life).length,
        (count) => count > before,
      );
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
