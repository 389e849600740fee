/**
 * The log of one browser's requests as the rooms around it use it: looked through, one of them in detail, its body, all of
 * it as a HAR. Where the operator turned the log off, it is empty.
 */
import type { Cdp } from '../../chromium/chromium.ts';
import type { Refusal } from '../../egress/egress.ts';
import { inSteps, type Share } from '../../kit/loop-share.ts';
import { type Body, requestBody, responseBody } from './bodies.ts';
import { type CarriedRequests, type ExitSight, sightOf } from './exits.ts';
import { type Found, finding, type NetworkFilter } from './finding.ts';
import { buildHar, type HarOptions } from './har.ts';
import { Recorder } from './recorder.ts';
import type { CapturedNetwork, CaptureNetwork, NetworkRequest, NetworkRequestDetail } from './schema.ts';
import type { TabLog } from './tab-logs.ts';
import { type Shown, shownDetail, shownRequest } from './view.ts';

type WatchRefusals = (watcher: { refused(refusal: Refusal): void }) => unknown;

export interface NetworkLogParts {
  isOn: boolean;
  tabOf(targetId: string): string | undefined;
  exit(): CarriedRequests | undefined;
  watch: WatchRefusals;
  /** Pages of this browser context are logged only where `follow` says so. */
  isGuests(contextId: string | undefined): boolean;
}

const stepMs = 0.3;

export class NetworkLog {
  readonly #cdp: Cdp;
  readonly #parts: NetworkLogParts;
  readonly #recorder: Recorder | undefined;
  readonly #contexts = new Map<string, ExitSight>();
  /** A HAR of all of it was asked for when the browser was made. */
  #whole = false;

  constructor(cdp: Cdp, parts: NetworkLogParts) {
    this.#cdp = cdp;
    this.#parts = parts;
    const own = sightOf(() => parts.exit(), parts.watch);
    if (parts.isOn)
      this.#recorder = new Recorder(cdp, {
        tabOf: (targetId) => parts.tabOf(targetId),
        sightOf: (contextId) => this.#contexts.get(contextId ?? '') ?? own,
        isGuests: (contextId) => parts.isGuests(contextId),
      });
  }

  /** The pages of this browser context leave by an exit of their own; absent: the context is gone. */
  useExit(contextId: string, exit?: CarriedRequests, watch?: WatchRefusals): void {
    if (exit && watch)
      this.#contexts.set(
        contextId,
        sightOf(() => exit, watch),
      );
    else this.#contexts.delete(contextId);
  }

  /** A page of a guest is logged from now on; it has asked for nothing yet. */
  follow(sessionId: string, targetId: string, contextId: string): void {
    this.#recorder?.follow(sessionId, targetId, contextId);
  }

  /** From now on as much is kept as a HAR of the whole life of the browser may hold. */
  keepAll(): void {
    this.#whole = true;
    this.#recorder?.logs.keepAll();
  }

  /** Whether all of it was to be kept; true once, for the one who makes the HAR. */
  takeWhole(): boolean {
    const wanted = this.#whole && this.#recorder !== undefined;
    this.#whole = false;
    return wanted;
  }

  /** Nothing of this tab is kept any more. */
  forget(targetId: string): void {
    this.#recorder?.logs.forget(targetId);
  }

  get isOn(): boolean {
    return this.#recorder !== undefined;
  }

  /** The number before that of the next request. */
  get lastSeq(): number {
    return (this.#recorder?.next ?? 1) - 1;
  }

  /** Requests that were made so fast that they were only counted. */
  get dropped(): number {
    return this.#recorder?.logs.tabs().reduce((sum, { dropped }) => sum + dropped, 0) ?? 0;
  }

  /** Newest first, over all tabs; as many as are wanted. */
  find(filter: NetworkFilter, most = Number.POSITIVE_INFINITY): Promise<Found[]> {
    const entries = this.#recorder?.logs.entries() ?? [];
    return inSteps(this.#cdp.share, finding(entries, { filter, most, tabOf: (log) => this.#tabOf(log) }));
  }

  /** Whether something of this tab is in it. */
  knows(tabId: string): boolean {
    return (
      this.#recorder?.logs.tabs().some((log) => log.ring.bytes > 0 && this.#tabOf(log) === tabId) ?? false
    );
  }

  #tabOf({ targetId, tabId }: TabLog): string | undefined {
    return tabId ?? this.#parts.tabOf(targetId);
  }

  get(id: string): Found | undefined {
    const found = this.#recorder?.logs.find(id);
    const tabId = found && this.#tabOf(found.log);
    return found && tabId !== undefined ? { request: found.request, tabId } : undefined;
  }

  body({ request }: Found): Promise<Body | undefined> {
    return responseBody(this.#cdp, request);
  }

  /** What began since then, the last ones of it, oldest first; see `lastSeq`. */
  async captured(
    since: { seq: number; dropped: number },
    asked: Exclude<CaptureNetwork, boolean>,
  ): Promise<CapturedNetwork> {
    const found = await this.find({ afterSeq: since.seq, failed: asked.failedOnly });
    const requests = found
      .slice(0, asked.max)
      .reverse()
      .map((each) => shown(each));
    return { requests, total: found.length, dropped: Math.max(0, this.dropped - since.dropped) };
  }

  async har(filter: NetworkFilter, options: HarOptions & { share: Share }): Promise<string> {
    return buildHar(
      {
        requests: (await this.find(filter)).reverse(),
        browser: await this.#browser(),
        responseBody: (request) => responseBody(this.#cdp, request),
        requestBody: (request) => requestBody(this.#cdp, request),
        turn: () => options.share.turn(stepMs),
      },
      options,
    );
  }

  /** One that has ended says nothing more. */
  async #browser(): Promise<{ name: string; version: string }> {
    const told = await this.#cdp.send('Browser.getVersion').catch(() => undefined);
    const [name = 'Chromium', version = ''] = told?.product.split('/') ?? [];
    return { name, version };
  }
}

export const shown = ({ request, tabId }: Found, how: Omit<Shown, 'tabId'> = {}): NetworkRequest =>
  shownRequest(request, { tabId, ...how });

export const detailed = ({ request, tabId }: Found, how: Omit<Shown, 'tabId'> = {}): NetworkRequestDetail =>
  shownDetail(request, { tabId, ...how });
