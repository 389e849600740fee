/**
 * Why a tab shows no page. Chromium draws a page of its own there, an empty one in one of the engines, and its events do
 * not say why; the exit to the network does, and so does the answer to a command that navigates.
 */
import { type ExitTroubles, navigationVerdict, type Running } from '../../browsers/browsers.ts';
import type { FailedPage } from './told.ts';

const keptTroubles = 20;
/** An older one was about another attempt. */
const freshMs = 60_000;
const lookMs = 2000;
const mostChars = 2000;

/** What Chromium says when it has no answer of its own: the exit turned it away. */
const unsaid = 'net::ERR_TUNNEL_CONNECTION_FAILED';
const words: Record<string, string> = {
  ERR_NAME_NOT_RESOLVED: 'There is no site of this name',
  ERR_CONNECTION_REFUSED: 'The site refuses connections',
  ERR_CONNECTION_FAILED: 'The site cannot be reached',
  ERR_CONNECTION_RESET: 'The site broke the connection off',
  ERR_CONNECTION_CLOSED: 'The site broke the connection off',
  ERR_EMPTY_RESPONSE: 'The site sent no answer',
  ERR_CONNECTION_TIMED_OUT: 'The site does not answer',
  ERR_TIMED_OUT: 'The site does not answer',
  ERR_SSL_PROTOCOL_ERROR: 'The site does not speak https',
  ERR_TOO_MANY_REDIRECTS: 'The site sends the browser in circles',
};

export class FailedPages {
  readonly #running: Running;
  readonly #onChange: () => void;
  readonly #failed = new Map<string, FailedPage>();
  readonly #troubles: (ExitTroubles & { at: number })[] = [];
  #off: (() => void)[] = [];

  constructor(running: Running, onChange: () => void) {
    this.#running = running;
    this.#onChange = onChange;
  }

  of(tabId: string | undefined): FailedPage | undefined {
    return tabId === undefined ? undefined : this.#failed.get(tabId);
  }

  watch(): () => void {
    const { live } = this.#running;
    const keep = (trouble: Partial<ExitTroubles>): void => {
      this.#troubles.push({ refusals: [], unreachable: [], ...trouble, at: Date.now() });
      this.#troubles.splice(0, this.#troubles.length - keptTroubles);
    };
    this.#off = [
      live.watch({
        refused: (refusal) => keep({ refusals: [refusal] }),
        unreachable: (failure) => keep({ unreachable: [failure] }),
        upstreamFailed: (proxyFailure) => keep({ proxyFailure }),
        closed: ({ tabId }) => this.#failed.delete(tabId),
        activated: () => void this.look(),
      }),
      live.chromium.cdp.on('Page.frameNavigated', ({ frame }, sessionId) => {
        if (frame.parentId) return;
        const tab = live.tabs.list().find(({ tabId }) => live.tabs.sessionOf(tabId) === sessionId);
        if (tab) this.#shows(tab.tabId, frame.unreachableUrl);
      }),
    ];
    void this.look();
    return () => {
      for (const off of this.#off.splice(0)) off();
      this.#failed.clear();
    };
  }

  /** This tab is on its way to another page. */
  leaves(tabId: string): void {
    if (this.#failed.delete(tabId)) this.#onChange();
  }

  /** Chromium's answer to a command that navigates this tab. */
  answered(tabId: string, url: string, errorText: unknown): void {
    // The tab stays where it is: a download, an answer without a page, or the next navigation came in between.
    if (typeof errorText !== 'string' || errorText === 'net::ERR_ABORTED') return;
    const address = URL.parse(url)?.href ?? url;
    this.#failed.set(tabId, { url: address.slice(0, mostChars), message: this.#why(address, errorText) });
    this.#onChange();
  }

  /** A tab may have shown it before the first viewer came. */
  async look(tabId = this.#running.live.tabs.active?.tabId): Promise<void> {
    const { tabs, chromium } = this.#running.live;
    const sessionId = tabId === undefined ? undefined : tabs.sessionOf(tabId);
    if (tabId === undefined || !sessionId || this.#failed.has(tabId)) return;
    const tree = await chromium.cdp
      .send('Page.getFrameTree', undefined, { sessionId, timeoutMs: lookMs })
      .catch(() => undefined);
    const url = tree?.frameTree.frame.unreachableUrl;
    if (url && this.#off.length > 0) this.#shows(tabId, url);
  }

  #shows(tabId: string, unreachableUrl: string | undefined): void {
    const known = this.#failed.get(tabId);
    if (unreachableUrl === undefined) this.#failed.delete(tabId);
    // The answer to the command may have come first, and knows more.
    else if (known?.url !== unreachableUrl.slice(0, mostChars))
      this.#failed.set(tabId, {
        url: unreachableUrl.slice(0, mostChars),
        message: this.#why(unreachableUrl, unsaid),
      });
    this.#onChange();
  }

  #why(url: string, errorText: string): string {
    const since = Date.now() - freshMs;
    const fresh = this.#troubles.filter(({ at }) => at > since).reverse();
    const around: ExitTroubles = {
      refusals: fresh.flatMap(({ refusals }) => refusals),
      unreachable: fresh.flatMap(({ unreachable }) => unreachable),
      proxyFailure: fresh.find(({ proxyFailure }) => proxyFailure)?.proxyFailure,
    };
    const verdict = navigationVerdict({ message: `${errorText} at ${url}` }, around);
    const { rule, reason } = (verdict?.details ?? {}) as { rule?: string; reason?: string };
    const where = (URL.parse(url)?.host || url).slice(0, 200);
    if (verdict?.code === 'POLICY_BLOCKED')
      return `${where} was not opened: the policy of this browser does not allow it (${rule}).`;
    if (verdict?.code === 'PROXY_UNREACHABLE' || verdict?.code === 'PROXY_AUTH_FAILED')
      return `${where} was not opened: ${verdict.message}`;
    const said = reason === undefined || `net::${reason}` === unsaid ? undefined : reason;
    const why = said?.startsWith('ERR_CERT')
      ? 'The certificate of the site is not valid'
      : (words[said ?? ''] ?? 'It cannot be reached');
    return `${where} was not opened. ${why}${said ? ` (${said})` : ''}.`;
  }
}
