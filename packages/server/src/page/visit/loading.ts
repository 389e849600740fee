/**
 * The events of a page that is being loaded, as one state to look at:
 *
 *   requests ──┐                ┌── which document, its status and type
 *   frames ────┼──> Loading ────┼── how far it is, and whether it is about to leave
 *   lifecycle ─┘                └── what it still fetches, and since when nothing happened
 */
import type { Protocol } from 'devtools-protocol';
import type { PageSession } from '../reach/reach.ts';
import { type Validators, validatorsIn } from './known-document.ts';

/** These stay open by nature, or the page does not wait for them. */
const openEnded = new Set(['WebSocket', 'EventSource', 'Media', 'Ping', 'Prefetch', 'CSPViolationReport']);
/** A request that has brought nothing for so long is a long poll. */
const hangingMs = 2000;
/** A page that says it leaves later than this is read before. */
const soonSeconds = 5;

interface DocumentAnswer {
  url: string;
  status: number;
  mimeType: string;
  /** Another one follows it, as its site says. */
  moves: boolean;
  /** When the site wants to be asked again. */
  retryAfter?: string;
  validators: Validators;
}

/** `document.readyState`. */
export type DocumentState = 'loading' | 'interactive' | 'complete';

export class Loading {
  document: DocumentAnswer | undefined;
  readonly redirects: string[] = [];
  /** Chromium shows a page of its own: this is why. */
  failure: { url: string; errorText: string } | undefined;
  loaded = false;
  crashed = false;
  isDownload = false;
  /** One that comes in place of the page, where it may be made into one. */
  file: 'none' | 'awaited' | 'taken' | 'refused' = 'none';
  /** What was looked for in a plain page, in the moment in which it was found at rest. */
  atRest: unknown;
  /** What was drawn of it in that moment. */
  drawn: unknown;
  /** Nothing in it acts or asks, as far as was looked. */
  plain: boolean | undefined;
  /** What was taken from the network is still being made into a page. */
  beingMade = false;
  /** Why there is none. */
  trouble: unknown;
  #interactiveSince: number | undefined;
  #leaving = false;
  #awaited = false;
  #lastEventAt = performance.now();
  #loaderId: string | undefined;
  #lastFailure = 'net::ERR_FAILED';
  readonly #mainFrame: string;
  readonly #sessionId: string;
  readonly #open = new Map<string, number>();
  readonly #sheets = new Set<string>();
  #askedSoFar = 0;
  readonly #off: (() => void)[];
  #wake = Promise.withResolvers<void>();

  constructor({ cdp, sessionId }: PageSession, mainFrame: string) {
    this.#mainFrame = mainFrame;
    this.#sessionId = sessionId;
    const mine =
      <T>(hear: (params: T) => void) =>
      (params: T, session: string | undefined): void => {
        if (session !== this.#sessionId) return;
        hear(params);
        this.#wake.resolve();
        this.#wake = Promise.withResolvers();
      };
    this.#off = [
      cdp.on(
        'Network.requestWillBeSent',
        mine((params) => this.#asked(params)),
      ),
      cdp.on(
        'Network.responseReceived',
        mine((params) => this.#answered(params)),
      ),
      cdp.on(
        'Network.dataReceived',
        mine(({ requestId }) => this.#moved(requestId)),
      ),
      cdp.on(
        'Network.loadingFinished',
        mine(({ requestId }) => this.#ended(requestId)),
      ),
      cdp.on(
        'Network.loadingFailed',
        mine((params) => this.#failed(params)),
      ),
      cdp.on(
        'Page.frameNavigated',
        mine((params) => this.#navigated(params)),
      ),
      cdp.on(
        'Page.frameScheduledNavigation',
        mine(({ frameId, delay }) => this.#leaves(frameId, delay)),
      ),
      cdp.on(
        'Page.frameRequestedNavigation',
        mine(({ frameId, disposition }) => {
          if (disposition === 'currentTab') this.#leaves(frameId, 0);
        }),
      ),
      cdp.on(
        'Page.frameStoppedLoading',
        mine(({ frameId }) => {
          if (frameId === mainFrame) this.#leaving = false;
        }),
      ),
      cdp.on(
        'Page.downloadWillBegin',
        mine(() => {
          this.isDownload = true;
          this.#leaving = false;
        }),
      ),
      cdp.on(
        'Page.domContentEventFired',
        mine(() => {
          this.interactive = true;
        }),
      ),
      cdp.on(
        'Page.loadEventFired',
        mine(() => {
          this.loaded = true;
        }),
      ),
      cdp.on(
        'Inspector.targetCrashed',
        mine(() => {
          this.crashed = true;
        }),
      ),
    ];
  }

  /** A document is there and does not go away at once. */
  get staying(): boolean {
    return !this.#leaving && !this.#awaited && !this.beingMade;
  }

  /** The document is parsed, and the scripts that it waits for have run. */
  get interactive(): boolean {
    return this.#interactiveSince !== undefined;
  }

  set interactive(now: boolean) {
    this.#interactiveSince = now ? (this.#interactiveSince ?? performance.now()) : undefined;
  }

  /** Milliseconds since then. */
  get interactiveFor(): number {
    return this.#interactiveSince === undefined ? 0 : performance.now() - this.#interactiveSince;
  }

  isMain(frameId: string): boolean {
    return frameId === this.#mainFrame;
  }

  /** Of the document that is shown; undefined: none has come since this was begun. */
  get loaderId(): string | undefined {
    return this.#loaderId;
  }

  /** The document of this navigation is the one shown. */
  isAt(loaderId: string | undefined): boolean {
    return loaderId !== undefined && loaderId === this.#loaderId;
  }

  /** A navigation was answered: what was heard before it is there was about another page. */
  expect(loaderId: string | undefined): void {
    // Chromium repeats to every new session that the page before has crashed.
    this.crashed = false;
    // Within the same document nothing is loaded anew.
    if (!loaderId) this.interactive = this.loaded = true;
    else this.#awaited = loaderId !== this.#loaderId;
  }

  /** The document was there before this was begun. */
  joins(state: DocumentState): void {
    // Chromium repeats to every new session that the page before has crashed.
    this.crashed = false;
    if (this.hasMoved) return;
    if (state !== 'loading') this.interactive = true;
    if (state === 'complete') this.loaded = true;
  }

  /** The same address is asked for once more. */
  again(): void {
    this.file = 'none';
    this.isDownload = false;
    this.failure = undefined;
    this.redirects.length = 0;
  }

  /** Another document has come since this was begun. */
  get hasMoved(): boolean {
    return this.#loaderId !== undefined;
  }

  /** Requests that may still bring something. */
  get busy(): boolean {
    const now = performance.now();
    for (const since of this.#open.values()) if (now - since < hangingMs) return true;
    return false;
  }

  /** Of all kinds, also those that hang. */
  get openRequests(): number {
    return this.#open.size;
  }

  /** Sheets that the page waits for. */
  get openSheets(): number {
    return this.#sheets.size;
  }

  /** How much it has asked of the network so far. */
  get asked(): number {
    return this.#askedSoFar;
  }

  /** Milliseconds without an event of the network. */
  get quietFor(): number {
    return performance.now() - this.#lastEventAt;
  }

  /** Resolves at the next event, at the latest after so many milliseconds. */
  async nextEvent(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#wake.promise, late]);
    clearTimeout(timer);
  }

  stop(): void {
    for (const off of this.#off) off();
  }

  #moved(requestId: string): void {
    this.#lastEventAt = performance.now();
    if (this.#open.has(requestId)) this.#open.set(requestId, this.#lastEventAt);
  }

  #asked({
    requestId,
    loaderId,
    frameId,
    type,
    redirectResponse,
    request,
  }: Protocol.Network.RequestWillBeSentEvent): void {
    if (openEnded.has(type ?? '') || request.url.startsWith('data:')) return;
    this.#open.set(requestId, 0);
    this.#askedSoFar++;
    if (type === 'Stylesheet') this.#sheets.add(requestId);
    this.#moved(requestId);
    if (frameId !== this.#mainFrame || type !== 'Document') return;
    if (requestId !== loaderId) return;
    if (redirectResponse) this.redirects.push(redirectResponse.url);
  }

  #answered({ requestId, loaderId, frameId, type, response }: Protocol.Network.ResponseReceivedEvent): void {
    this.#moved(requestId);
    if (frameId !== this.#mainFrame || type !== 'Document' || requestId !== loaderId) return;
    const { url, status, mimeType, headers } = response;
    const header = (wanted: string) =>
      Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
    const retryAfter = header('retry-after');
    const again = retryAfter !== undefined && { retryAfter };
    const moves = header('refresh') !== undefined;
    this.document = { url, status, mimeType, moves, validators: validatorsIn(headers), ...again };
  }

  #ended(requestId: string): void {
    this.#moved(requestId);
    this.#open.delete(requestId);
    this.#sheets.delete(requestId);
  }

  #failed({ requestId, errorText, type }: Protocol.Network.LoadingFailedEvent): void {
    this.#ended(requestId);
    if (type === 'Document' && errorText) this.#lastFailure = errorText;
  }

  #leaves(frameId: string, delay: number): void {
    if (frameId === this.#mainFrame && delay <= soonSeconds) this.#leaving = true;
  }

  #navigated({ frame }: Protocol.Page.FrameNavigatedEvent): void {
    if (frame.id !== this.#mainFrame || frame.loaderId === this.#loaderId) return;
    this.#loaderId = frame.loaderId;
    this.#leaving = false;
    this.#awaited = false;
    this.interactive = false;
    this.loaded = false;
    this.failure = frame.unreachableUrl
      ? { url: frame.unreachableUrl, errorText: this.#lastFailure }
      : undefined;
  }
}
