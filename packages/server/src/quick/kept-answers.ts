/**
 * Answers that are given again, for callers that say how old one may be (`maxAgeMs`):
 *
 *   kept and young enough ──────────────────────────────────────────> given as it is
 *   kept, too old, and its site marks versions ──> asked ──> 304 ────> given as it is, young again
 *   anything else ──> the page is visited ──> a good answer is kept ─> given
 *
 * Callers that ask for the same at the same moment get one answer of one visit. Only good ones are kept: a page that failed,
 * was not there in time or is nothing but a challenge may be a different one the next time.
 */
import type { Answer, AnswerCache, KeptAnswer } from '../cache/cache.ts';
import type { Events } from '../events/events.ts';
import { newId } from '../kit/id.ts';
import { SingleFlight } from '../kit/single-flight.ts';
import type { CaptchaItem } from '../page/captcha/schema.ts';
import { type KnownDocument, NotModified, type Onward, type Visit } from '../page/page.ts';
import type { CacheUse } from './cache-use.ts';
import type { QuickRequest } from './schema.ts';

export interface KeptAnswersParts {
  cache: Pick<AnswerCache, 'keyOf' | 'find' | 'keep' | 'confirm'>;
  events: Pick<Events, 'note'>;
  /** What the answer depends on beside the request: the version of its profile, and whatever else of the project. */
  dependsOn(projectId: string, request: QuickRequest): Promise<{ profileId: string | null; state: unknown }>;
}

/** How the visit is made for all that wait for it. */
export interface Asking {
  gone: AbortSignal;
  known?: KnownDocument;
  visited(visited: Visit, captcha: CaptchaItem[]): void;
  onward?: TellOnward;
}

/** Where the page leads. Undefined: it could not be read. */
export type TellOnward = (onward: Onward | undefined, visited: Pick<Visit, 'retryAfter'>) => void;

/** Between what an action makes and the bytes that are kept of it. */
export interface Form<T> {
  /** Undefined: it is too large, and `value` is for one caller alone. */
  pack(value: T): Promise<(Omit<Answer, 'about'> & { about?: Answer['about'] }) | { unpacked: T }>;
  unpack(answer: Answer): T;
}

interface Order<T> {
  action: string;
  caller: { projectId: string; gone: AbortSignal; waitMs?: number; quiet?: boolean; onward?: TellOnward };
  request: QuickRequest & { maxAgeMs: number };
  form: Form<T>;
  make(asking: Asking): Promise<T>;
}

type Flown<T> = { use: Omit<CacheUse, 'collapsed'>; ledTo?: Parameters<TellOnward> } & (
  | { answer: Answer }
  | { unpacked: T }
);

export class KeptAnswers {
  readonly #parts: KeptAnswersParts;
  readonly #flights = new SingleFlight<Flown<unknown>>();

  constructor(parts: KeptAnswersParts) {
    this.#parts = parts;
  }

  async give<T>(order: Order<T>): Promise<{ value: T; use: CacheUse }> {
    const { action, caller, request, form } = order;
    const { cache, dependsOn } = this.#parts;
    const { profileId, state } = await dependsOn(caller.projectId, request);
    const goesOn = caller.onward !== undefined;
    const key = await cache.keyOf(caller.projectId, action, goesOn, whatMatters(request), state);
    // What only these callers have in common: none gets an error of another's shorter time.
    const flight = [key, request.maxAgeMs, request.timeoutMs, request.partial, caller.waitMs].join();
    const begin = (gone: AbortSignal) => this.#answer(order, key, profileId, gone);
    const { value, joined } = await this.#flights.run(flight, caller.gone, begin);
    const flown = value as Flown<T>;
    const use = { ...flown.use, collapsed: joined };
    if (flown.ledTo) caller.onward?.(...flown.ledTo);
    if ('answer' in flown) return { value: form.unpack(flown.answer), use };
    return joined ? this.#alone(order) : { value: flown.unpacked, use };
  }

  async #answer<T>(
    order: Order<T>,
    key: string,
    profileId: string | null,
    gone: AbortSignal,
  ): Promise<Flown<T>> {
    const { caller, request } = order;
    const began = performance.now();
    const kept = await this.#parts.cache.find(caller.projectId, key);
    const ageMs = kept ? Math.max(Date.now() - kept.checkedAt, 0) : 0;
    if (!kept || ageMs > request.maxAgeMs) return this.#visit(order, key, profileId, gone, kept);
    this.#noteHit(order, performance.now() - began);
    return { ...given(kept), use: { status: 'hit', madeAt: kept.madeAt, ageMs, stored: true } };
  }

  async #visit<T>(
    { caller: { projectId, onward }, request, form, make }: Order<T>,
    key: string,
    profileId: string | null,
    gone: AbortSignal,
    kept: KeptAnswer | undefined,
  ): Promise<Flown<T>> {
    const { cache } = this.#parts;
    let seen: { visited: Visit; captcha: CaptchaItem[] } | undefined;
    let ledTo: Flown<T>['ledTo'];
    try {
      const made = await make({
        gone,
        known: request.url === undefined ? undefined : (kept?.about.document as KnownDocument | undefined),
        visited: (visited, captcha) => {
          seen = { visited, captcha };
        },
        ...(onward && {
          onward: (found, { retryAfter }) => {
            ledTo = [found, { retryAfter }];
          },
        }),
      });
      const use = { status: kept ? ('stale' as const) : ('miss' as const), madeAt: Date.now(), ageMs: 0 };
      const packed = await form.pack(made);
      if ('unpacked' in packed) return { ...packed, ledTo, use: { ...use, stored: false } };
      const document = seen && documentOf(seen.visited);
      const about = {
        ...packed.about,
        ...(document && { document }),
        ...(ledTo?.[0] && { onward: ledTo[0] }),
      };
      const answer = { content: packed.content, about };
      const isWhole = !onward || about.onward !== undefined;
      const stored = isWhole && isGood(seen) && (await cache.keep(projectId, key, answer, profileId));
      return { answer, ledTo, use: { ...use, stored } };
    } catch (error) {
      if (!(error instanceof NotModified) || !kept) throw error;
      await cache.confirm(kept.id);
      return { ...given(kept), use: { status: 'revalidated', madeAt: kept.madeAt, ageMs: 0, stored: true } };
    }
  }

  /** What was made for another cannot be shared. */
  async #alone<T>({ caller, make }: Order<T>): Promise<{ value: T; use: CacheUse }> {
    const value = await make({ gone: caller.gone, visited: () => undefined });
    const use = { status: 'miss' as const, madeAt: Date.now(), ageMs: 0, stored: false, collapsed: false };
    return { value, use };
  }

  /** No page was visited, but the caller has its answer. */
  #noteHit({ action, caller, request: { url } }: Order<unknown>, durationMs: number): void {
    const { projectId, quiet } = caller;
    if (quiet) return;
    this.#parts.events.note({
      type: 'quick.completed',
      browserId: newId('browser'),
      projectId,
      at: Date.now(),
      data: { action, url, durationMs: Math.round(durationMs), fromCache: true },
    });
  }
}

const given = (answer: KeptAnswer): { answer: Answer; ledTo?: Parameters<TellOnward> } => ({
  answer,
  ...('onward' in answer.about && { ledTo: [answer.about.onward as Onward, {}] }),
});

/** Without what says only how long to wait, how old the answer may be, and what becomes of it. */
function whatMatters(request: QuickRequest): object {
  const { maxAgeMs: _, timeoutMs: __, partial: ___, store: ____, ...rest } = request;
  return rest;
}

const isGood = (seen: { visited: Visit; captcha: CaptchaItem[] } | undefined): boolean => {
  if (!seen || seen.visited.timedOut) return false;
  const { statusCode } = seen.visited;
  const answered = statusCode === null || (statusCode >= 200 && statusCode < 300);
  return answered && !seen.captcha.some(({ category }) => category === 'blocking');
};

/** What its site can be asked about. */
const documentOf = ({ finalUrl: url, validators = {} }: Visit): KnownDocument | undefined =>
  validators.etag || validators.lastModified ? { url, ...validators } : undefined;
