/**
 * What an attacker has: a member's key of its own project, and an admin's for what needs one, a client for the API, and a web site that its browsers visit.
 * It runs in a process of its own at low priority, because attackers have machines of their own.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface World {
  url: string;
  /** Where the attacker's site answers. */
  site: string;
  /** Pages of the site, by path. */
  pages: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  until: AbortSignal;
  /** Status and body, whatever the status; 0 where the connection failed. Bytes and text are sent as they are. */
  ask(method: string, path: string, body?: object | string | Buffer, how?: How): Promise<Answer>;
  /** What was done so often, told at the end: an attack that is refused at the door attacks nothing. */
  did(what: string, times?: number): void;
}

export interface Answer {
  status: number;
  text: string;
}

interface How {
  /** With the key of an admin of the attacker's project. */
  asAdmin?: boolean;
  headers?: Record<string, string>;
}

/** As many browsers attack as the bar asks for. */
export const browsers = 4;

const policy = { privateAccess: { localhost: true } };

/** Ids are left out, so that calls of one kind are counted together. */
const kindOf = (method: string, path: string): string =>
  `${method} ${path.split('?')[0]?.replaceAll(/\b(browser|job|webhook|pfile|file)_\w+/g, '$1')}`;

export async function openWorld(options: {
  url: string;
  key: string;
  adminKey: string;
  until: AbortSignal;
}): Promise<World> {
  const { url, key, adminKey, until } = options;
  const pages: World['pages'] = new Map();
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/';
    const page = pages.get(path);
    if (page) page(incoming, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const agent = new Agent({ keepAlive: true });
  let calls = 0;
  const done = new Map<string, number>();
  const did: World['did'] = (what, times = 1) => void done.set(what, (done.get(what) ?? 0) + times);
  process.on('exit', () => {
    for (const [what, times] of done) console.log(`      ${times} × ${what}`);
  });
  return {
    url,
    did,
    site: `http://localhost:${(server.address() as AddressInfo).port}`,
    pages,
    until,
    ask: (method, path, body, { asAdmin = false, headers: more = {} } = {}) =>
      new Promise((answer) => {
        const resolve = (given: Answer): void => {
          did(`${kindOf(method, path)}: ${given.status}`);
          answer(given);
        };
        const sent = typeof body === 'object' && !Buffer.isBuffer(body) ? JSON.stringify(body) : body;
        const headers = {
          authorization: `Bearer ${asAdmin ? adminKey : key}`,
          'idempotency-key': `attack-${process.pid}-${calls++}`,
          ...(sent !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(sent),
          }),
          ...more,
        };
        const outgoing = request(url + path, { method, headers, agent }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', () => resolve({ status: 0, text: '' }));
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
        });
        outgoing.on('error', (error) => resolve({ status: 0, text: error.message }));
        outgoing.end(sent);
      }),
  };
}

/** Does it until the attack is over; after a failure it tries again a little later, as an attacker would. */
export async function again(world: World, once: () => Promise<unknown>): Promise<void> {
  while (!world.until.aborted) {
    const worked = await once().then(
      () => true,
      () => false,
    );
    if (!worked) await sleep(500, undefined, { signal: world.until }).catch(() => undefined);
  }
}

export async function create(world: World, body: object = {}): Promise<string> {
  const { status, text } = await world.ask('POST', '/v1/browsers', { policy, ...body });
  if (status !== 201) throw new Error(`create: ${status} ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** Keeps this many browsers at work; one that ends is replaced. */
export const inBrowsers = async (world: World, work: (id: string) => Promise<unknown>): Promise<void> => {
  const one = () =>
    again(world, async () => {
      const id = await create(world);
      try {
        await work(id);
      } finally {
        await world.ask('DELETE', `/v1/browsers/${id}`);
      }
    });
  await Promise.all(Array.from({ length: browsers }, one));
};

export async function execute(world: World, id: string, code: string, timeoutMs = 30_000): Promise<string> {
  const { status, text } = await world.ask('POST', `/v1/browsers/${id}/script/execute`, { code, timeoutMs });
  if (status !== 200) throw new Error(`execute: ${status} ${text}`);
  return text;
}

/** Puts a page on the site and keeps browsers on it: one that has ended is replaced by another. */
export async function visit(world: World, html: string): Promise<void> {
  world.pages.set('/page', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  await inBrowsers(world, async (id) => {
    await execute(world, id, `await page.goto('${world.site}/page', {waitUntil: 'commit'})`);
    for (;;) {
      await sleep(1000, undefined, { signal: world.until });
      const { status, text } = await world.ask('GET', `/v1/browsers/${id}`);
      if (status !== 200 || (JSON.parse(text) as { status: string }).status !== 'ready') return;
    }
  });
}
