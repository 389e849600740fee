/** The events of one live browser, and the listeners to them. */
import type { Refusal } from '../../egress/egress.ts';
import type { DealtBanner } from '../consent/consent.ts';
import type { Dialog } from '../record/dialog-schema.ts';
import type { PermissionChange } from '../record/record.ts';
import type { Tab } from './tab.ts';

/** What a page logged as an error or did not catch, or (`quieted`) that its console is not read any more. */
export interface ConsoleError {
  targetId: string;
  kind: 'logged' | 'uncaught' | 'quieted';
  text: string;
  url?: string;
  line?: number;
  column?: number;
}

/** A limit that was reached, and what was done about it. */
export interface Limited {
  limit: 'memory' | 'tabs' | 'popups';
  message: string;
  [detail: string]: unknown;
}

/** A listener to the events of one live browser. */
export interface Watcher {
  opened(tab: Tab): void;
  closed(tab: Tab): void;
  navigated(tab: Tab): void;
  crashed(tab: Tab & { reason?: string }): void;
  /** It took more than it may, and something of it was ended or kept from it. */
  limited(what: Limited): void;
  dialogOpened(dialog: Dialog): void;
  dialogClosed(dialog: Dialog): void;
  /** By a script or another client, past the owner. */
  permissionsChanged(change: PermissionChange): void;
  /** Another tab is in front now, or the one in front takes commands now. */
  activated(): void;
  /** Something worth saving may have changed. */
  touched(): void;
  /** A page of this session has changed its local or session storage. */
  storageChanged(sessionId: string): void;
  /** The policy refused a connection. */
  refused(refusal: Refusal): void;
  /** A page logged an error, or did not catch one. */
  consoleError(error: ConsoleError): void;
  /** A cookie banner was declined, or could not be. */
  bannerDealt(banner: DealtBanner): void;
  /** The policy kept a file from a page. */
  fileRefused(refusal: { file: string; mimeType: string; rule: string; message: string }): void;
  /** The policy allowed a connection, but it did not come about. */
  unreachable(failure: { host: string; netError: string; message: string }): void;
  upstreamFailed(failure: { code: 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED'; message: string }): void;
}

export class Watchers {
  readonly #all = new Set<Partial<Watcher>>();

  /** The return value is the off switch. */
  add(watcher: Partial<Watcher>): () => void {
    this.#all.add(watcher);
    return () => this.#all.delete(watcher);
  }

  notify<N extends keyof Watcher>(event: N, ...what: Parameters<Watcher[N]>): void {
    for (const watcher of this.#all)
      (watcher[event] as ((...args: typeof what) => void) | undefined)?.(...what);
  }
}
