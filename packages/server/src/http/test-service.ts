import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { Access } from '../access/access.ts';
import { Capabilities } from '../access/capabilities.ts';
import { Idempotency } from '../access/idempotency.ts';
import { Artifacts } from '../artifacts/artifacts.ts';
import { openDiskBlobs } from '../artifacts/disk-blobs.ts';
import type { Browsers } from '../browsers/browsers.ts';
import { Downloads } from '../browsers/downloads/downloads.ts';
import type { Browser } from '../browsers/record/schema.ts';
import { recordingView, refuseWithoutVideo } from '../browsers/recordings/view.ts';
import { readConfig } from '../config.ts';
import { ApiError } from '../errors.ts';
import { createEvents } from '../events/events.ts';
import { Webhooks } from '../events/webhooks.ts';
import { Extensions } from '../extensions/extensions.ts';
import { ProjectFiles } from '../files/files.ts';
import { Fonts } from '../fonts/fonts.ts';
import { newId } from '../kit/id.ts';
import { createLog } from '../kit/log.ts';
import { Attachments } from '../page/reach/attachments.ts';
import { Profiles } from '../profiles/profiles.ts';
import { Masks, Secrets } from '../secrets/secrets.ts';
import type { Store } from '../store/records.ts';
import { openStore } from '../store/store.ts';
import { createHttp, type HttpService } from './http.ts';
import { browserExample, countsExample, statusExample } from './routes/browser-examples.ts';

/** For the tests of this folder: real sockets, keys and store; only the browsers are records in memory. */
export class MemoryBrowsers implements Browsers {
  readonly records = new Map<string, Browser>();
  readonly calls: unknown[][] = [];
  /** Awaited by every create, so that a test can hold one up or make it fail. */
  gate: () => Promise<void> = async () => undefined;

  async create(...call: Parameters<Browsers['create']>): Promise<Browser> {
    this.calls.push(['create', ...call]);
    await this.gate();
    const browser: Browser = { ...browserExample, id: newId('browser'), metadata: call[1].metadata ?? {} };
    this.records.set(browser.id, browser);
    return browser;
  }

  async list(...call: Parameters<Browsers['list']>): ReturnType<Browsers['list']> {
    this.calls.push(['list', ...call]);
    return {
      items: [...this.records.values()].slice(0, call[1].limit),
      limit: call[1].limit,
      hasMore: false,
    };
  }

  async count(): ReturnType<Browsers['count']> {
    return countsExample;
  }

  async get(_projectId: string, id: string): Promise<Browser> {
    const browser = this.records.get(id);
    if (!browser) throw new ApiError('BROWSER_NOT_FOUND', 'There is no such browser.');
    return browser;
  }

  async patch(projectId: string, id: string): Promise<Browser> {
    return this.get(projectId, id);
  }

  async status(): ReturnType<Browsers['status']> {
    return statusExample;
  }

  async stop(projectId: string, id: string): Promise<Browser> {
    return this.get(projectId, id);
  }

  async resume(projectId: string, id: string): Promise<Browser> {
    return this.get(projectId, id);
  }

  async close(projectId: string, id: string): ReturnType<Browsers['close']> {
    await this.get(projectId, id);
    const receipt = { processesEnded: 1, bytesFreed: 0, recordings: 0, durationMs: 1 };
    return { id, status: 'closed', closedAt: browserExample.createdAt, receipt };
  }
}

const check = { ok: true, detail: 'fine' };

const nothingToRecord = async (): Promise<never> => {
  throw new ApiError('BROWSER_NOT_READY', 'These browsers have nothing to record.');
};

export interface TestService extends AsyncDisposable {
  http: HttpService;
  browsers: MemoryBrowsers;
  access: Access;
  artifacts: Artifacts;
  store: Store;
  log: string[];
  /** How often it was found out whether the service is ready. */
  looks(): number;
  url: string;
  projectId: string;
  key: string;
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  create(idempotencyKey: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  raw(bytes: string): Promise<string>;
}

export async function startTestService(
  env: Record<string, string> = {},
  { dashboardDir }: { dashboardDir?: string } = {},
): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'browserd-http-'));
  const config = readConfig({ BROWSERD_PORT: '0', BROWSERD_DATA_DIR: dataDir, ...env });
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLog('debug', sink);
  const store = await openStore({ databaseUrl: null, dataDir });
  const access = new Access({ store, log });
  const browsers = new MemoryBrowsers();
  let looks = 0;
  const readiness = {
    check: async () => {
      looks++;
      return { store: check, chromium: check, sandbox: check, disk: check, capacity: check };
    },
  };
  const idempotency = new Idempotency({
    store,
    bootId: newId('node'),
    log,
    mostBytes: config.idempotencySize,
  });
  const artifacts = new Artifacts({
    store,
    blobs: await openDiskBlobs({ folder: join(dataDir, 'blobs'), reserveBytes: config.storageReserve }),
    log,
    nodeId: newId('node'),
    bootId: newId('node'),
    shared: false,
    quotaBytes: config.storageQuota,
  });
  const noPages = async (): Promise<never> => {
    throw new ApiError('BROWSER_NOT_READY', 'These browsers have no pages.');
  };
  const scripts = { execute: noPages };
  const scrapes = { scrape: noPages };
  const captures = { screenshot: noPages, pdf: noPages };
  const computers = { use: noPages };
  const observations = { observe: noPages };
  const attachments = new Attachments({
    browsers: { use: noPages, get: (...call) => browsers.get(...call) },
    log,
    checkIsolation: () => undefined,
    resolveRef: async () => undefined,
  });
  const events = createEvents({ store, log });
  const webhooks = new Webhooks({
    store,
    log,
    nodeId: newId('node'),
    bootId: newId('node'),
    post: async () => ({ status: 204, headers: {} }),
    objection: () => undefined,
    retriesMs: config.webhookRetries,
    userAgent: 'browserd/test',
  });
  const http = await createHttp({
    config,
    log,
    access,
    idempotency,
    browsers,
    dialogs: nothingThere(),
    network: nothingThere(),
    permissions: nothingThere(),
    state: nothingThere(),
    extensions: new Extensions({ store, bytes: artifacts.bytes, mode: 'admin' }),
    fonts: new Fonts({ store, bytes: artifacts.bytes, boxed: true }),
    profiles: new Profiles({
      store,
      bytes: artifacts.bytes,
      bootId: newId('node'),
      keep: config.profileVersions,
      limitBytes: config.browserDisk,
    }),
    artifacts,
    projectFiles: new ProjectFiles({
      store,
      bytes: artifacts.bytes,
      bootId: newId('node'),
      limitBytes: config.uploadLimit,
    }),
    events,
    webhooks,
    downloads: new Downloads({
      artifacts,
      events: createEvents({ store, log }),
      log,
      limitBytes: config.downloadLimit,
      reserveBytes: config.storageReserve,
      folder: dataDir,
    }),
    recordings: {
      start: nothingToRecord,
      stop: nothingToRecord,
      remove: (owner, id) => artifacts.remove(owner, id),
      view: recordingView,
      refuseWithoutVideo,
    },
    scripts,
    scrapes,
    tabs: nothingThere(),
    captures,
    computers,
    observations,
    secrets: new Secrets({ store, masks: new Masks() }),
    quick: nothingThere(),
    jobs: nothingThere(),
    views: nothingThere(),
    captchas: { show: noPages, resolve: noPages },
    attachments,
    capabilities: new Capabilities({ store }),
    nodes: nothingThere(),
    readiness,
    metrics: { render: async (accept) => ({ type: 'text/plain', text: `accepts ${accept}` }) },
    dashboardDir,
    version: '0.1.0',
  });
  const { url, port } = await http.listen();
  const project = await access.ensureProject('default');
  const { key } = await access.createKey(project.id, { name: 'test', role: 'admin' });

  const call: TestService['call'] = (path, { key: other, headers, ...init } = {}) => {
    const authorization: Record<string, string> =
      other === null ? {} : { authorization: `Bearer ${other ?? key}` };
    return fetch(url + path, {
      ...init,
      headers: { ...authorization, ...(headers as Record<string, string>) },
    });
  };
  return {
    http,
    browsers,
    artifacts,
    access,
    store,
    log: lines,
    looks: () => looks,
    url,
    projectId: project.id,
    key,
    call,
    create: (idempotencyKey, body = {}, headers = {}) =>
      call('/v1/browsers', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey, ...headers },
      }),
    raw: (bytes) => sendRaw(port, bytes),
    [Symbol.asyncDispose]: async () => {
      await http.drain(0);
      await events.close();
      await artifacts[Symbol.asyncDispose]();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The routes exist; the rooms behind them are tested with real browsers. */
const nothingThere = <T>(): T => ({}) as T;

/** Writes the bytes as they are and reads until the other side closes. */
function sendRaw(port: number, bytes: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.on('close', () => resolve(answer)).on('error', reject);
  return promise;
}
