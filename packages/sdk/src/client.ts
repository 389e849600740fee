/** The entry of the SDK: one service, one key. */
import { Browser } from './browser/browser.ts';
import { Browsers } from './browsers.ts';
import { Events } from './events.ts';
import { Extensions } from './extensions.ts';
import { ProjectFiles } from './files.ts';
import { Fonts } from './fonts.ts';
import type * as types from './generated/schemas.ts';
import {
  Api,
  type Body,
  type CallOptions,
  type Content,
  type Settings,
  type WorkOptions,
} from './http/http.ts';
import { Jobs } from './jobs/jobs.ts';
import { Keys } from './keys.ts';
import { Nodes } from './nodes.ts';
import { Profiles } from './profiles.ts';
import { Secrets } from './secrets.ts';
import { Webhooks } from './webhooks.ts';

/** The time limit of the work is `timeoutMs` of the request itself. */
export interface QuickOptions extends WorkOptions {
  /** Seconds to wait in the queue when there is no room. */
  waitSeconds?: number;
  /** With `store`: a new one for each call unless given. For a day, the same key stores nothing again. */
  idempotencyKey?: string;
}

type Screenshot = Body<'QuickController_screenshot'>;
type Pdf = Body<'QuickController_pdf'>;
interface WithHar {
  include: ['har'];
}
interface Stored {
  store: true | { name?: string; ttlSeconds?: number };
}
type NotStored<T> = Omit<T, 'store'>;

/** The service's own limit for a quick action, where the caller sets none. */
const quickMs = 30_000;

/** A browserd service. */
export class Browserd {
  readonly browsers: Browsers;
  readonly events: Events;
  readonly extensions: Extensions;
  /** Of the project: uploads, and what quick actions stored. Those of a browser are at `browser.files`. */
  readonly files: ProjectFiles;
  readonly jobs: Jobs;
  readonly fonts: Fonts;
  readonly keys: Keys;
  readonly nodes: Nodes;
  readonly secrets: Secrets;
  readonly profiles: Profiles;
  readonly webhooks: Webhooks;
  readonly #api: Api;

  constructor(settings: Settings = {}) {
    this.#api = new Api(settings);
    this.browsers = new Browsers(this.#api);
    this.events = new Events(this.#api);
    this.extensions = new Extensions(this.#api);
    this.files = new ProjectFiles(this.#api);
    this.jobs = new Jobs(this.#api);
    this.fonts = new Fonts(this.#api);
    this.keys = new Keys(this.#api);
    this.nodes = new Nodes(this.#api);
    this.secrets = new Secrets(this.#api);
    this.profiles = new Profiles(this.#api);
    this.webhooks = new Webhooks(this.#api);
  }

  get baseUrl(): string {
    return this.#api.baseUrl;
  }

  /** A browser whose id is known; sends no request. */
  browser(id: string): Browser {
    return new Browser(this.#api, id);
  }

  /** The text of a page, read in a browser that exists for this request only. With `store` it is a file, too. */
  scrape(body: Body<'QuickController_scrape'>, options: QuickOptions = {}): Promise<types.QuickScraped> {
    return this.#api.json('QuickController_scrape', quickCall(body, options), onceOf(options));
  }

  /** With `baseline` it is compared with that file of the project; with `store` both pictures are files. */
  screenshot(body: Screenshot & { baseline: string }, options?: QuickOptions): Promise<types.QuickCompared>;
  /** With `store` the picture, or one of each of `selectors`, is a file of the project. */
  screenshot(body: Screenshot & Stored, options?: QuickOptions): Promise<types.QuickStored>;
  /** With `include: ['har']` the picture is in `content`, in base64, beside the HAR. */
  screenshot(body: NotStored<Screenshot> & WithHar, options?: QuickOptions): Promise<types.QuickCaptured>;
  /** With `selectors` there is a picture of each, in base64. */
  screenshot(
    body: NotStored<Screenshot> & { selectors: string[] },
    options?: QuickOptions,
  ): Promise<types.Pictures>;
  screenshot(
    body: Omit<NotStored<Screenshot>, 'include' | 'selectors' | 'baseline'>,
    options?: QuickOptions,
  ): Promise<Content>;
  screenshot(body: Screenshot, options: QuickOptions = {}): Promise<Content | Told> {
    const isTold = body.selectors !== undefined || body.baseline !== undefined;
    return this.#capture('QuickController_screenshot', body, options, isTold);
  }

  /** With `store` the PDF is a file of the project. */
  pdf(body: Pdf & Stored, options?: QuickOptions): Promise<types.QuickStored>;
  /** With `include: ['har']` the PDF is in `content`, in base64, beside the HAR. */
  pdf(body: NotStored<Pdf> & WithHar, options?: QuickOptions): Promise<types.QuickCaptured>;
  pdf(body: Omit<NotStored<Pdf>, 'include'>, options?: QuickOptions): Promise<Content>;
  pdf(body: Pdf, options: QuickOptions = {}): Promise<Content | Told> {
    return this.#capture('QuickController_pdf', body, options);
  }

  health(options: CallOptions = {}): Promise<types.Health> {
    return this.#api.json('HealthController_live', {}, options);
  }

  /** Resolves also when the service is not ready: the checks say why. */
  ready(options: CallOptions = {}): Promise<types.Readiness> {
    return this.#api.json('HealthController_ready', { answerToo: 503, knownBy: 'checks' }, options);
  }

  /** In the text format of Prometheus. */
  metrics(options: CallOptions = {}): Promise<string> {
    return this.#api.text('MetricsController_read', {}, options);
  }

  #capture(
    operation: 'QuickController_screenshot' | 'QuickController_pdf',
    body: Screenshot | Pdf,
    options: QuickOptions,
    isTold = false,
  ): Promise<Content | Told> {
    const call = quickCall(body, options);
    if (isTold || body.store || body.include?.includes('har'))
      return this.#api.json(operation, call, onceOf(options)) as Promise<Told>;
    return this.#api.content(operation, call, { signal: options.signal });
  }
}

/** Captures whose answer is JSON. */
type Told = types.QuickCaptured | types.Pictures | types.QuickStored | types.QuickCompared;

const onceOf = ({ signal, idempotencyKey }: QuickOptions) => ({
  signal,
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

const quickCall = (body: { timeoutMs?: number; store?: unknown }, { waitSeconds }: QuickOptions) => ({
  body,
  takesMs: (body.timeoutMs ?? quickMs) + (waitSeconds ?? 0) * 1000,
  keptNowhere: !body.store,
  ...(waitSeconds && { headers: { prefer: `wait=${waitSeconds}` } }),
});
