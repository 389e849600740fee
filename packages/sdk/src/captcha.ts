import type { Body, CallOptions, Query } from './api.ts';
import type { Captchas } from './generated/types.ts';
import { Held } from './held.ts';

export class Captcha extends Held {
  /** Which captchas a page shows. */
  get(query: Query<'CaptchaController_get'> = {}, options: CallOptions = {}): Promise<Captchas> {
    return this.api.json('CaptchaController_get', { path: this.path, query }, options);
  }

  /** Tries to solve them. Only where you may. */
  resolve(body: Body<'CaptchaController_resolve'> = {}, options: CallOptions = {}): Promise<Captchas> {
    const takesMs = body.timeoutMs ?? longestMs;
    return this.api.json('CaptchaController_resolve', { path: this.path, body, takesMs }, options);
  }
}
/** Where the caller sets no limit, the service's own is not known here; a person may have to come. */
const longestMs = 600_000;
