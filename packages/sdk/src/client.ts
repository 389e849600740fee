import { Api, type Body, type CallOptions, type Settings } from './api.ts';
import { Browser } from './browser.ts';
import { Browsers } from './browsers.ts';
import { Content } from './content.ts';
import { Events } from './events.ts';
import type * as types from './generated/types.ts';
import { Keys } from './keys.ts';
import { Webhooks } from './webhooks.ts';

export interface QuickOptions {
  signal?: AbortSignal;
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
    return this.#picture('QuickController_screenshot', body, options);
  }

  pdf(body: Body<'QuickController_pdf'>, options: QuickOptions = {}): Promise<Content> {
    return this.#picture('QuickController_pdf', body, options);
  }

  health(options: CallOptions = {}): Promise<types.Health> {
    return this.#api.json('HealthController_live', {}, options);
  }

  /** Also where it is not ready: the checks say why. */
  ready(options: CallOptions = {}): Promise<types.Readiness> {
    return this.#api.json('HealthController_ready', { answerToo: 503 }, options);
  }

  /** In the text format of Prometheus. */
  async metrics(options: CallOptions = {}): Promise<string> {
    return (await this.#api.open('MetricsController_read', {}, options)).text();
  }

  async #picture(
    id: 'QuickController_screenshot' | 'QuickController_pdf',
    body: { timeoutMs?: number },
    options: QuickOptions,
  ): Promise<Content> {
    return new Content(await this.#api.open(id, quickCall(body, options), { signal: options.signal }));
  }
}

const quickCall = (body: { timeoutMs?: number }, { waitSeconds }: QuickOptions) => ({
  body,
  takesMs: (body.timeoutMs ?? quickMs) + (waitSeconds ?? 0) * 1000,
  ...(waitSeconds && { headers: { prefer: `wait=${waitSeconds}` } }),
});
