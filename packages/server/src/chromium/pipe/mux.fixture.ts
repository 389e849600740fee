import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium as playwright } from 'playwright-core';
import { type Egress, type EgressOptions, openEgress } from '../../egress/egress.ts';
import type { Engine } from '../../kit/engine.ts';
import { probeIsolation } from '../../process/isolation.ts';
import { type Chromium, launchChromium } from '../chromium.ts';
import { boxedProfileDir } from '../start/box.ts';
import { findChromium } from '../start/find.ts';
import { type CdpClient, type ClientOptions, type FilterRules, openClient } from './mux.ts';

/** A real Chromium in its box, with its egress, and clients that speak to it through the mux. */
const isolation = await probeIsolation({
  wanted: 'auto',
  path: process.env.PATH ?? '',
  runAs: '65534:65534',
});
const found = await findChromium({
  chromiumPath: null,
  env: process.env,
  forAnotherUser: isolation.user !== undefined,
});
export const engines = (['shell', 'full'] as const).filter((engine) => found[engine]);

export interface Rig extends AsyncDisposable {
  chromium: Chromium;
  egress: Egress;
  rules: FilterRules;
  client(options?: Partial<ClientOptions>): Promise<RawClient>;
  connect(): Promise<Browser>;
  /** Puts a file where the client may take it from; returns the path the client names. */
  handOut(name: string, content: string): Promise<string>;
  downloaded(guid: string): Promise<string>;
}

export async function launchRig(
  engine: Engine = engines[0] ?? 'shell',
  options: Partial<EgressOptions> = {},
): Promise<Rig> {
  const profileDir = await mkdtemp(join(tmpdir(), 'browserd-mux-'));
  for (const folder of [profileDir, join(profileDir, 'in'), join(profileDir, 'out')]) {
    await mkdir(folder, { recursive: true });
    if (isolation.user) await chown(folder, isolation.user.uid, isolation.user.gid);
  }
  const boxed = isolation.mode === 'strict';
  const egressOptions = { ownListeners: () => [], ...options };
  let egress = boxed ? undefined : await openEgress(egressOptions);
  const chromium = await launchChromium({
    engine,
    binary: found[engine]?.path ?? '',
    profileDir,
    proxyUrl: egress?.url,
    isolation,
    sandbox: true,
    launchTimeoutMs: 60_000,
    cdpTimeoutMs: 30_000,
  });
  egress ??= await openEgress({ ...egressOptions, listener: chromium.exitListener });
  egress.allow({ privateAccess: { localhost: true } });
  const inBox = boxed ? boxedProfileDir : profileDir;
  const handedOut = new Map<string, string>();
  const rules: FilterRules = {
    downloadPath: join(inBox, 'out'),
    fileFor: (path) => handedOut.get(path),
  };
  return {
    chromium,
    egress,
    rules,
    client: (options = {}) => openRaw(chromium, { rules, ...options }),
    connect: () => connectPlaywright(chromium, rules),
    async handOut(name, content) {
      const path = join(profileDir, 'in', name);
      await writeFile(path, content, { mode: 0o644 });
      handedOut.set(path, join(inBox, 'in', name));
      return path;
    },
    downloaded: (guid) => readFile(join(profileDir, 'out', guid), 'utf8'),
    async [Symbol.asyncDispose]() {
      await chromium.kill();
      await egress.close();
      await rm(profileDir, { recursive: true, force: true });
    },
  };
}

export interface Heard {
  id?: number;
  method?: string;
  params?: Record<string, never>;
  result?: Record<string, never>;
  error?: { code: number; message: string };
  sessionId?: string;
}

export interface RawClient extends CdpClient {
  heard: Heard[];
  closedFor: string[];
  ask(method: string, params?: object, sessionId?: string): Promise<Heard>;
  /** A result, or a failure of the test. */
  get(method: string, params?: object, sessionId?: string): Promise<Record<string, never>>;
  next(fits: (message: Heard) => boolean): Promise<Heard>;
  /** Attaches to the first tab. */
  page(): Promise<string>;
}

async function openRaw(
  chromium: Chromium,
  options: Partial<ClientOptions> & { rules: FilterRules },
): Promise<RawClient> {
  const heard: Heard[] = [];
  const closedFor: string[] = [];
  const waiting = new Set<(message: Heard) => void>();
  const client = await openClient(chromium.cdp, {
    onMessage: (bytes) => {
      const message = JSON.parse(bytes.toString()) as Heard;
      heard.push(message);
      for (const tell of waiting) tell(message);
    },
    onClose: (reason) => closedFor.push(reason),
    ...options,
  });
  let lastId = 0;
  const next = (fits: (message: Heard) => boolean): Promise<Heard> =>
    new Promise((resolve) => {
      const tell = (message: Heard): void => {
        if (!fits(message)) return;
        waiting.delete(tell);
        resolve(message);
      };
      waiting.add(tell);
    });
  const ask = (method: string, params?: object, sessionId?: string): Promise<Heard> => {
    const id = ++lastId;
    const answer = next((message) => message.id === id);
    client.send(JSON.stringify({ id, method, params, sessionId }));
    return answer;
  };
  const get: RawClient['get'] = async (method, params, sessionId) => {
    const { result, error } = await ask(method, params, sessionId);
    if (!result) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  return {
    heard,
    closedFor,
    next,
    ask,
    get,
    send: (message) => client.send(message),
    hears: (targetId) => client.hears(targetId),
    close: () => client.close(),
    async page() {
      const { targetInfos } = await get('Target.getTargets');
      const pages = targetInfos as unknown as { type: string; targetId: string }[];
      const targetId = pages.find(({ type }) => type === 'page')?.targetId;
      return String((await get('Target.attachToTarget', { targetId, flatten: true })).sessionId);
    },
  };
}

async function connectPlaywright(chromium: Chromium, rules: FilterRules): Promise<Browser> {
  const transport: {
    send(message: object): void;
    close(): void;
    onmessage?(message: object): void;
    onclose?(reason?: string): void;
  } = {
    send: (message) => void client.send(JSON.stringify(message)),
    // Playwright waits for `onclose` after it asked to close.
    close: () => void client.close().then(() => transport.onclose?.()),
  };
  const client = await openClient(chromium.cdp, {
    rules,
    // Playwright counts on a turn of the event loop for each message.
    onMessage: (message) => void setImmediate(() => transport.onmessage?.(JSON.parse(message.toString()))),
    onClose: (reason) => transport.onclose?.(reason),
  });
  return playwright.connectOverCDP(transport as never);
}

export interface Pages extends AsyncDisposable {
  origin: string;
  /** The same server under another site's name, so that its frames get a process of their own. */
  otherOrigin: string;
  requests: string[];
}

export async function servePages(
  pages: Record<string, string | { type: string; body: string; headers?: object }>,
): Promise<Pages> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    requests.push(path);
    const page = pages[path];
    const { type, body, headers } = typeof page === 'object' ? page : { type: 'text/html', body: page };
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, ...headers });
    response.end(body ?? 'nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    otherOrigin: `http://localhost:${port}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
