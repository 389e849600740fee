/** Captchas in the pages of a browser: which there are, and an attempt to solve them. */
import type { Captchas } from '../generated/schemas.ts';
import type { Body, CallOptions, Query } from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export class Captcha extends BrowserResource {
  /** Which captchas a page shows. */
  get(query: Query<'CaptchaController_get'> = {}, options: CallOptions = {}): Promise<Captchas> {
    return this.api.json('CaptchaController_get', { path: this.path, query }, options);
  }

  /** Tries to solve them. Use it only where you are allowed to. */
  resolve(body: Body<'CaptchaController_resolve'> = {}, options: CallOptions = {}): Promise<Captchas> {
    const takesMs = body.timeoutMs ?? longestMs;
    return this.api.json('CaptchaController_resolve', { path: this.path, body, takesMs }, options);
  }
}
/** Without a limit of the caller the service applies its own, which is not known here; a person may be needed. */
const longestMs = 600_000;
