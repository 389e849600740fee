import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Cap from '@cap.js/server';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

/** A site with real widgets from npm and the servers that they talk to, which say what they accept. */
export interface CaptchaSite extends AsyncDisposable {
  origin: string;
  /** Where a form was sent, newest last. */
  sent: URL[];
  verifyAltcha(payload: string): Promise<boolean>;
  verifyCap(token: string): Promise<boolean>;
}

const packages = new URL('../../../../node_modules/', import.meta.url);
const scripts: Record<string, string> = {
  '/altcha.js': 'altcha/dist/main/altcha.min.js',
  '/cap.js': '@cap.js/widget/cap.min.js',
  '/friendly.js': 'friendly-challenge/widget.min.js',
};

const page = (widget: string, head = ''): string =>
  `<!doctype html><html><head><title>Sign up</title>${head}</head><body style="padding-top:900px"><form action="/sent"><input name="email">${widget}<button>Send</button></form></body></html>`;

const friendly = (head = ''): string =>
  page(
    '<div class="frc-captcha" data-sitekey="LOCAL" data-puzzle-endpoint="/puzzle"></div>',
    `${head}<script src="/friendly.js"></script>`,
  );

const pages: Record<string, string> = {
  '/': '<!doctype html><title>nothing here</title>',
  '/altcha': page(
    '<altcha-widget challenge="/altcha-challenge"></altcha-widget>',
    '<script type="module" src="/altcha.js"></script>',
  ),
  '/altcha-auto': page(
    '<altcha-widget challenge="/altcha-challenge" auto="onload"></altcha-widget>',
    '<script type="module" src="/altcha.js"></script>',
  ),
  '/altcha-broken': page(
    '<altcha-widget challenge="/nothing"></altcha-widget>',
    '<script type="module" src="/altcha.js"></script>',
  ),
  '/cap': page(
    '<cap-widget data-cap-api-endpoint="/cap/"></cap-widget>',
    '<script>window.CAP_CUSTOM_WASM_URL = "/nothing"</script><script src="/cap.js"></script>',
  ),
  // This widget turns automated browsers away by itself.
  '/friendly-refuses': friendly(),
  // A page that accepts them configures its widget so.
  '/friendly': friendly(
    '<script>for (const [name, value] of Object.entries({ webdriver: false, userAgent: "Chrome", appVersion: "Chrome" })) Object.defineProperty(navigator, name, { value })</script>',
  ),
};

const hmacSignatureSecret = randomBytes(16).toString('hex');

/** 32 bytes: 12 × 5 minutes to expire, and four puzzles that are found quickly. */
function puzzle(): string {
  const bytes = randomBytes(32);
  bytes.set([12, 4, 100], 13);
  return JSON.stringify({ data: { puzzle: `${'0'.repeat(32)}.${bytes.toString('base64')}` } });
}

/** `more` are pages of a spec's own, by their path. */
export async function startCaptchaSite(more: Record<string, string> = {}): Promise<CaptchaSite> {
  const folder = await mkdtemp(join(tmpdir(), 'browserd-cap-'));
  const cap = new Cap({ tokens_store_path: join(folder, 'tokens.json'), noFSState: true });
  const sent: URL[] = [];
  const answer = async (
    request: IncomingMessage,
    url: URL,
  ): Promise<[type: string, body: string | Buffer]> => {
    const path = url.pathname;
    const script = scripts[path];
    if (script) return ['text/javascript', await readFile(new URL(script, packages))];
    if (path === '/altcha-challenge')
      return [
        'application/json',
        JSON.stringify(
          await createChallenge({ algorithm: 'PBKDF2/SHA-256', cost: 100, deriveKey, hmacSignatureSecret }),
        ),
      ];
    if (path === '/cap/challenge')
      return [
        'application/json',
        JSON.stringify(await cap.createChallenge({ challengeCount: 4, challengeDifficulty: 2 })),
      ];
    if (path === '/cap/redeem')
      return ['application/json', JSON.stringify(await cap.redeemChallenge(JSON.parse(await text(request))))];
    if (path === '/puzzle') return ['application/json', puzzle()];
    if (path === '/sent') sent.push(url);
    return ['text/html', more[path] ?? pages[path] ?? ''];
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site');
    void answer(request, url).then(([type, body]) => {
      response
        .writeHead(body === '' && url.pathname !== '/sent' ? 404 : 200, { 'content-type': type })
        .end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    async verifyAltcha(payload) {
      const { challenge, solution } = JSON.parse(Buffer.from(payload, 'base64').toString());
      return (await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })).verified;
    },
    verifyCap: async (token) => (await cap.validateToken(token)).success,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
