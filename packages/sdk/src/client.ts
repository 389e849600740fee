import { Api, type Body, type CallOptions, type Settings, type WorkOptions } from './api.ts';
import { Browser } from './browser.ts';
import { Browsers } from './browsers.ts';
import type { Content } from './content.ts';
import { Events } from './events.ts';
import type * as types from './generated/types.ts';
import { Keys } from './keys.ts';
import { Webhooks } from './webhooks.ts';

/** How long the work may take is `timeoutMs` of the request itself. */
export interface QuickOptions extends WorkOptions {
  /** Seconds to wait in the queue when there is no room. */
  waitSeconds?: number;
}

/** What a quick action may take where the caller does not say. */
const quickMs = 30_000;

/** A browserd service. */
export class Browserd {
  readonly browsers: Browsers;
  readonly events: Events;
  readonly keys: Keys;
  readonly webhooks: Webhooks;
  readonly #api: Api;

  constructor(settings: Settings = {}) {
    this.#api = new Api(settings);
    this.browsers = new Browsers(this.#api);
    this.events = new Events(this.#api);
    this.keys = new Keys(this.#api);
    this.webhooks = new Webhooks(this.#api);
  }

  get baseUrl(): string {
    return this.#api.baseUrl;
  }

  /** A browser whose id is known; asks nothing. */
  browser(id: string): Browser {
    return new Browser(this.#api, id);
  }

  /** The text of a page, in a browser that is gone with the answer. */
  scrape(body: Body<'QuickController_scrape'>, options: QuickOptions = {}): Promise<types.QuickScraped> {
    return this.#api.json('QuickController_scrape', quickCall(body, options), { signal: options.signal });
  }

  screenshot(body: Body<'QuickController_screenshot'>, options: QuickOptions = {}): Promise<Content> {
    return this.#api.content('QuickController_screenshot', quickCall(body, options), {
      signal: options.signal,
    });
  }

  pdf(body: Body<'QuickController_pdf'>, options: QuickOptions = {}): Promise<Content> {
    return this.#api.content('QuickController_pdf', quickCall(body, options), { signal: options.signal });
  }

  health(options: CallOptions = {}): Promise<types.Health> {
    return this.#api.json('HealthController_live', {}, options);
  }

  /** Also where it is not ready: the checks say why. */
  ready(options: CallOptions = {}): Promise<types.Readiness> {
    return this.#api.json('HealthController_ready', { answerToo: 503, knownBy: 'checks' }, options);
  }

  /** In the text format of Prometheus. */
  metrics(options: CallOptions = {}): Promise<string> {
    return this.#api.text('MetricsController_read', {}, options);
  }
}

const quickCall = (body: { timeoutMs?: number }, { waitSeconds }: QuickOptions) => ({
  body,
  takesMs: (body.timeoutMs ?? quickMs) + (waitSeconds ?? 0) * 1000,
  ...(waitSeconds && { headers: { prefer: `wait=${waitSeconds}` } }),
});
