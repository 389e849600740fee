/** One managed browser: its record, its life, what runs in it, and the collections that belong to it. */
import type { ComputerOptions, ModelAction } from '../computer/computer.ts';
import { BrowserdError, ScriptError } from '../errors.ts';
import { Events } from '../events.ts';
import type * as types from '../generated/schemas.ts';
import {
  type Api,
  type Body,
  type CallOptions,
  type Content,
  type OnceOptions,
  until,
  type WorkOptions,
} from '../http/http.ts';
import { Downloads, Files, Recordings } from './artifacts.ts';
import { Captcha } from './captcha.ts';
import { CdpDiscovery } from './cdp.ts';
import { Dialogs } from './dialogs.ts';
import { Handoff } from './handoff.ts';
import { Network } from './network.ts';
import { Permissions } from './permissions.ts';
import { codeOf, type Script, type ScriptOptions } from './script.ts';
import { type OnLog, runStreamingLogs } from './stream-logs.ts';
import { Tabs } from './tabs.ts';

export type { AddressOptions, Downloads, Files, Recordings } from './artifacts.ts';
export type { Scope, Script, ScriptOptions } from './script.ts';

export type TabScreenshot = Body<'ScreenshotController_create'>;
export type TabPdf = Body<'PdfController_create'>;
export type LiveOptions = Omit<types.CreateCapability, 'kind'>;

/** How code runs: at `timeoutMs` the service ends it. */
export type RunOptions = ScriptOptions &
  WorkOptions & {
    /** Called with each log entry as soon as it arrives. */
    onLog?: OnLog;
    /** Only in this epoch of the browser: in another one nothing runs, and the error is `EPOCH_CHANGED`. */
    ifEpoch?: number;
  };

/** The service's own limit for a script or a scrape, where the caller sets none. */
const workMs = 30_000;
const onItsWay: types.BrowserStatus[] = ['creating', 'resuming', 'recovering'];

/** A browser whose record is known, as answers of the service give it. */
export type KnownBrowser = Browser & { readonly record: types.Browser };

/** One browser. `await using` closes it at the end of the block. */
export class Browser implements AsyncDisposable {
  readonly id: string;
  readonly files: Files;
  readonly downloads: Downloads;
  readonly recordings: Recordings;
  readonly tabs: Tabs;
  /** For CDP clients that look for pages before they connect. */
  readonly cdp: CdpDiscovery;
  readonly dialogs: Dialogs;
  readonly network: Network;
  readonly permissions: Permissions;
  readonly captcha: Captcha;
  readonly handoff: Handoff;
  readonly events: Events;
  readonly #api: Api;
  #record: types.Browser | undefined;

  constructor(api: Api, id: string, record?: types.Browser) {
    this.#api = api;
    this.id = id;
    this.#record = record;
    this.files = new Files(api, id);
    this.downloads = new Downloads(api, id);
    this.recordings = new Recordings(api, id);
    this.tabs = new Tabs(api, id);
    this.cdp = new CdpDiscovery(api, id);
    this.dialogs = new Dialogs(api, id);
    this.network = new Network(api, id);
    this.permissions = new Permissions(api, id);
    this.captcha = new Captcha(api, id);
    this.handoff = new Handoff(api, id);
    this.events = new Events(api, id);
  }

  /** The record as last fetched; `refresh()` fetches it again. */
  get record(): types.Browser | undefined {
    return this.#record;
  }

  async refresh(options: CallOptions = {}): Promise<types.Browser> {
    return this.#keep(await this.#api.json('BrowserController_get', this.#call(), options));
  }

  /** Waits until it is ready: after a create with `respondAsync`, a resume elsewhere, a crash. Throws if it will not be. */
  async whenReady(options: CallOptions = {}): Promise<types.Browser> {
    const record = await until(
      () => this.refresh(options),
      ({ status }) => !onItsWay.includes(status),
      options,
    );
    if (record.status !== 'ready') throw notReady(record);
    return record;
  }

  /** Tabs, cookie domains, and what blocks the page; does not disturb the page. */
  status(options: CallOptions = {}): Promise<types.BrowserStatusSnapshot> {
    return this.#api.json('BrowserController_status', this.#call(), options);
  }

  async update(patch: types.PatchBrowser, options: CallOptions = {}): Promise<types.Browser> {
    return this.#keep(await this.#api.json('BrowserController_update', this.#call(patch), options));
  }

  /** Ends the process and keeps its state. */
  async stop(options: OnceOptions = {}): Promise<types.Browser> {
    return this.#keep(await this.#api.json('BrowserController_stop', this.#call(), options));
  }

  /** `waitSeconds`: in the queue when there is no room; without it the answer is `CAPACITY_EXHAUSTED`. */
  async resume({
    waitSeconds,
    ...options
  }: OnceOptions & { waitSeconds?: number } = {}): Promise<types.Browser> {
    const waits = waitSeconds && {
      headers: { prefer: `wait=${waitSeconds}` },
      takesMs: waitSeconds * 1000,
    };
    const call = { ...this.#call(), ...waits };
    return this.#keep(await this.#api.json('BrowserController_resume', call, options));
  }

  /** When it resolves, no process and no scratch file is left. */
  close(options: OnceOptions = {}): Promise<types.ClosedBrowser> {
    return this.#api.json('BrowserController_delete', this.#call(), options);
  }

  /** An error of the block is not lost when this one fails too: the language keeps both, in a `SuppressedError`. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.close();
    } catch (error) {
      if (!(error instanceof BrowserdError && error.code === 'BROWSER_NOT_FOUND')) throw error;
    }
  }

  /** Runs code in the browser and gives what it returned. Code that throws throws here, as a `ScriptError`. */
  execute<Result, Args = undefined>(
    script: Script<Args, Result>,
    args?: Args,
    options?: RunOptions,
  ): Promise<Awaited<Result>>;
  execute<Result = unknown>(code: string, args?: unknown, options?: RunOptions): Promise<Result>;
  async execute(
    script: string | Script<unknown, unknown>,
    args?: unknown,
    options: RunOptions = {},
  ): Promise<unknown> {
    const execution = await this.run<unknown>(script, { ...options, args });
    if (!execution.success) throw new ScriptError(execution);
    return execution.result;
  }

  /** The same, with the whole answer: logs, page, observation, activity. Code that throws gives `success: false`. */
  async run<Args = undefined>(
    script: string | Script<Args, unknown>,
    { signal, onLog, args, ifEpoch, ...options }: RunOptions & { args?: Args } = {},
  ): Promise<types.ScriptExecution> {
    const body = { ...options, code: codeOf(script), ...(args !== undefined && { args }) };
    const call = {
      ...this.#call(body),
      takesMs: options.timeoutMs ?? workMs,
      ...(ifEpoch !== undefined && { headers: { 'if-match': `"${ifEpoch}"` } }),
    };
    if (onLog) return runStreamingLogs(this.#api, call, onLog, { signal });
    return this.#api.json('ScriptController_execute', call, { signal });
  }

  /** The service types a secret of the project into a field, if its page is of an origin that the secret is for. */
  fillSecret({ signal, ...body }: types.FillSecret & WorkOptions): Promise<types.FilledSecret> {
    const call = { ...this.#call(body), takesMs: (body.timeoutMs ?? workMs) + workMs };
    return this.#api.json('SecretController_fill', call, { signal });
  }

  /**
   * Uses the browser as a screen: one action or a list, in the plain shape or as a model gave them. An action that fails gives
   * `success: false`; those before it are done.
   */
  computer(
    actions: ModelAction | readonly ModelAction[],
    { signal, ...options }: ComputerOptions & WorkOptions = {},
  ): Promise<types.ComputerAnswer> {
    const call = { ...this.#call({ ...options, actions }), takesMs: options.timeoutMs ?? 2 * workMs };
    return this.#api.json('ComputerController_use', call, { signal });
  }

  /** What a tab shows, as a tree with references, or as text; only what has changed with `as: 'diff'`. */
  observe({ signal, ...body }: types.ObservePage & WorkOptions = {}): Promise<types.ObservedPage> {
    const call = { ...this.#call(body), takesMs: body.timeoutMs ?? workMs };
    return this.#api.json('ObserveController_observe', call, { signal });
  }

  /** With `selectors` there is a picture of each: in base64, or as a file with `store`. */
  screenshot(options: TabScreenshot & { selectors: string[] } & WorkOptions): Promise<types.Pictures>;
  screenshot(options: TabScreenshot & { store: true } & WorkOptions): Promise<types.File>;
  screenshot(options?: Omit<TabScreenshot, 'store' | 'selectors'> & WorkOptions): Promise<Content>;
  screenshot(options: TabScreenshot & WorkOptions = {}): Promise<Content | types.File | types.Pictures> {
    return this.#capture('ScreenshotController_create', options);
  }

  pdf(options: TabPdf & { store: true } & WorkOptions): Promise<types.File>;
  pdf(options?: Omit<TabPdf, 'store'> & WorkOptions): Promise<Content>;
  pdf(options: TabPdf & WorkOptions = {}): Promise<Content | types.File> {
    return this.#capture('PdfController_create', options) as Promise<Content | types.File>;
  }

  /** The text of a tab, as Markdown, text, HTML or JSON. */
  scrape({ signal, ...body }: types.ScrapeTab & WorkOptions = {}): Promise<types.ScrapedTab> {
    const call = { ...this.#call(body), takesMs: body.timeoutMs ?? workMs };
    return this.#api.json('ScrapeController_scrapeTab', call, { signal });
  }

  /**
   * An address where a person watches the browser, or controls it with `mode: 'control'`: of one tab with `tabId`, in a frame
   * of your own page with `frameAncestors` (see `embedLiveView`).
   */
  live(asked: LiveOptions = {}, options: CallOptions = {}): Promise<types.Capability> {
    return this.#capability({ kind: 'live', ...asked }, options);
  }

  /** An address for Playwright's `chromium.connectOverCDP(…)`, or any other CDP client. It is a secret: it grants access. */
  async playwright({ ttlSeconds, ...options }: { ttlSeconds?: number } & CallOptions = {}): Promise<string> {
    const { url } = await this.#capability({ kind: 'cdp', ttlSeconds }, options);
    return url;
  }

  /** The first request of a CDP client: the browser's version, and where to connect. */
  cdpVersion(options: CallOptions = {}): Promise<types.CdpVersion> {
    return this.#api.json('CdpController_version', this.#call(), options);
  }

  #capability(body: types.CreateCapability, options: CallOptions): Promise<types.Capability> {
    return this.#api.json('CapabilityController_create', this.#call(body), options);
  }

  #capture(
    id: 'ScreenshotController_create' | 'PdfController_create',
    { signal, ...body }: (TabScreenshot | TabPdf) & WorkOptions,
  ): Promise<Content | types.File | types.Pictures> {
    const call = { ...this.#call(body), takesMs: (body.timeoutMs ?? workMs) + workMs };
    const isJson = body.store || ('selectors' in body && body.selectors);
    if (isJson) return this.#api.json(id, call, { signal }) as Promise<types.File | types.Pictures>;
    return this.#api.content(id, call, { signal });
  }

  #call(body?: unknown): { path: { id: string }; body?: unknown } {
    return { path: { id: this.id }, ...(body !== undefined && { body }) };
  }

  #keep(record: types.Browser): types.Browser {
    this.#record = record;
    return record;
  }
}

function notReady({ id, status, statusReason }: types.Browser): BrowserdError {
  const advice =
    status === 'stopped' || status === 'stopping'
      ? { nextStep: 'resume_browser', remedy: 'Resume it.' }
      : { nextStep: 'create_browser', remedy: 'Create another one.' };
  const message = `The browser ${id} is ${status}${statusReason ? ` (${statusReason})` : ''} and will not be ready by itself. ${advice.remedy}`;
  const facts = { code: 'BROWSER_NOT_READY', message, category: 'conflict', nextStep: advice.nextStep };
  return new BrowserdError({ ...facts, details: { status } }, 0);
}
