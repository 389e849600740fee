/**
 * Certificates that do not hold, of hosts whose owner said that this does not matter: a test site, a device of the house.
 * Chromium asks about each one that any page, frame or worker meets, and gets its answer by the host alone. All others fail
 * as they would have. It asks nothing while no host is named.
 */
import type { Cdp } from '../../chromium/chromium.ts';

interface Asked {
  params: { eventId: number; requestURL: string; errorType: string };
}

/** An address of a page can be as long as the page likes. */
const longestEvent = 4 * 1024 ** 2;

/** A page can name hosts without end. */
const mostRefused = 200;

export class CertificateErrors {
  readonly #cdp: Cdp;
  #hosts: ReadonlySet<string> = new Set();
  /** Host and port → what was wrong with its certificate. */
  readonly #refused = new Map<string, string>();
  #listening: { sessionId: string; stop(): void } | undefined;
  #turn: Promise<void> = Promise.resolve();

  constructor(cdp: Cdp) {
    this.#cdp = cdp;
  }

  /** From now on those of these hosts and no others. */
  ignoreFor(hosts: readonly string[] = []): Promise<void> {
    this.#hosts = new Set(hosts);
    const applied = this.#turn.then(() => this.#apply());
    this.#turn = applied.catch(() => undefined);
    return applied;
  }

  /** What failed there; Chromium says only that the request was aborted. */
  errorOf(url: string): string | undefined {
    return this.#refused.get(URL.parse(url)?.host ?? '');
  }

  /** A failure of Chromium's with its true name. */
  named(failure: string, url: string): string {
    const known = failure === 'net::ERR_ABORTED' ? this.errorOf(url) : undefined;
    return known === undefined ? failure : `net::${known}`;
  }

  async #apply(): Promise<void> {
    if (this.#hosts.size === 0) {
      const listening = this.#listening;
      this.#listening = undefined;
      listening?.stop();
      if (listening) await this.#cdp.send('Target.detachFromTarget', { sessionId: listening.sessionId });
      return;
    }
    if (this.#listening) return;
    const { sessionId } = await this.#cdp.send('Target.attachToBrowserTarget');
    const stop = this.#cdp.tap(sessionId, (method, event) => {
      if (method === 'Security.certificateError') this.#asked(sessionId, event);
    });
    this.#listening = { sessionId, stop };
    await this.#cdp.send('Security.enable', undefined, { sessionId });
    await this.#cdp.send('Security.setOverrideCertificateErrors', { override: true }, { sessionId });
  }

  #asked(sessionId: string, event: Buffer): void {
    if (event.length > longestEvent) return;
    const { eventId, requestURL, errorType } = (JSON.parse(event.toString()) as Asked).params;
    const { hostname = '', host = '' } = URL.parse(requestURL) ?? {};
    const action = this.#hosts.has(hostname) ? 'continue' : 'cancel';
    if (action === 'cancel') this.#note(host, errorType);
    else this.#refused.delete(host);
    void this.#cdp
      .send('Security.handleCertificateError', { eventId, action }, { sessionId })
      .catch(() => undefined);
  }

  #note(host: string, errorType: string): void {
    this.#refused.set(host, errorType);
    const [oldest = ''] = this.#refused.keys();
    if (this.#refused.size > mostRefused) this.#refused.delete(oldest);
  }
}
