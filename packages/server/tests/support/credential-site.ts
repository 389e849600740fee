import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site that asks for a name and a password by HTTP, Basic or (below `/digest`) Digest, and tells what it was sent. */
export interface CredentialSite {
  origin: string;
  /** Path and header of each request so far. */
  asked: { path: string; authorization: string | undefined }[];
  close(): Promise<void>;
}

const realm = 'the vault';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function isDigest(request: IncomingMessage, username: string, password: string): boolean {
  const header = request.headers.authorization ?? '';
  const field = (name: string): string => new RegExp(`[ ,]${name}="?([^",]*)`).exec(header)?.[1] ?? '';
  if (!header.startsWith('Digest ') || field('username') !== username) return false;
  const secret = md5(`${username}:${realm}:${password}`);
  const what = md5(`${request.method}:${field('uri')}`);
  const all = [secret, field('nonce'), field('nc'), field('cnonce'), field('qop'), what];
  return field('response') === md5(all.join(':'));
}

const page = (title: string): string => `<!doctype html><title>${title}</title><h1>${title}</h1>`;

/** `elsewhere`: where `/leave` leads. */
export async function startCredentialSite(
  { username, password }: { username: string; password: string },
  elsewhere = '',
): Promise<CredentialSite> {
  const asked: CredentialSite['asked'] = [];
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const { authorization } = request.headers;
    asked.push({ path, authorization });
    const digest = path.startsWith('/digest');
    if (digest ? !isDigest(request, username, password) : authorization !== basic) {
      const challenge = digest ? `Digest realm="${realm}", nonce="n1", qop="auth"` : `Basic realm="${realm}"`;
      response.writeHead(401, { 'www-authenticate': challenge, 'content-type': 'text/html' });
      response.end(page('not let in'));
    } else if (path === '/leave') {
      response.writeHead(302, { location: elsewhere });
      response.end();
    } else if (path === '/worker.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' });
      response.end("fetch('/from-worker').then(({ status }) => postMessage(status))");
    } else {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(page(`let in to ${path}`));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
