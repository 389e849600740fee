/**
 * Work on a page that is lent for it: a guest is borrowed, visits, is worked on, and is always given back, also when the time
 * is over, the caller has gone or Chromium has ended; the caller does not wait for that.
 */
import type { Readable } from 'node:stream';
import {
  emulationOf,
  type Guest,
  type Guests,
  gatherTroubles,
  guestCrashed,
  RefusalEvents,
  type Rehearsal,
  refOf,
  type Slot,
} from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Events, EventType } from '../events/events.ts';
import type { ProjectFiles } from '../files/files.ts';
import { newId } from '../kit/id.ts';
import { orAborted } from '../kit/or-aborted.ts';
import type { CaptchaItem } from '../page/captcha/schema.ts';
import {
  type Asset,
  type AtRest,
  addEarlyScripts,
  asksForReadiness,
  type Captchas,
  detectCaptchas,
  endBusyScript,
  type FetchedFile,
  fetchFile,
  judge,
  type KnownDocument,
  makeReady,
  NotModified,
  type PageTarget,
  readAssets,
  readOnward,
  rehearse,
  type SeenFaults,
  type Visit,
  visit,
  watchFaults,
} from '../page/page.ts';
import type { CacheUse } from './cache-use.ts';
import type { TellOnward } from './kept-answers.ts';
import type { QuickPdf, QuickRequest, QuickScreenshot } from './schema.ts';

export interface GuestWorkParts {
  guests: Pick<Guests, 'borrow'>;
  captchas: Pick<Captchas, 'resolvePage'>;
  events: Pick<Events, 'note'>;
  files: Pick<ProjectFiles, 'read'>;
}

export interface Caller {
  projectId: string;
  /** It has hung up. */
  gone: AbortSignal;
  /** How long it waits in the queue for capacity. */
  waitMs?: number;
  /** It tells of its pages itself: they have no events. */
  quiet?: boolean;
  /** Gives the slot for its page instead, or throws why there is none. */
  admit?(): Slot;
  /** It goes on from the page: told where that leads, before the page is acted on. Undefined: it could not be read. */
  onward?: TellOnward;
  /** What it has of the document already: when the site says that this is still the same, it gets `NotModified`. */
  known?: KnownDocument;
  /** Told how the visit went, and which captchas the page shows. */
  visited?: (visited: Visit, captcha: CaptchaItem[]) => void;
}

/** What was made of the page, and what became of the visit. */
export interface Made<T> extends Visit {
  made: T;
  /** Where it was asked for: what the page asked of the network, as JSON. Values of secrets are not masked yet. */
  har?: string;
  /** Where the caller takes a kept answer. */
  cache?: CacheUse;
}

export type Action = 'scrape' | 'screenshot' | 'pdf';

export interface Work {
  page: PageTarget;
  visited: Visit;
  /** What the page showed of them, before or after they were solved. */
  captcha: CaptchaItem[];
  assets: Asset[] | undefined;
  /** What was looked for in a plain page in the moment of its rest, if it was: the page is still as it was then. */
  atRest: unknown;
  /** What was drawn of it in that moment. */
  drawn: unknown;
  /** Of the time that was given. */
  left(): number;
}

/** What belongs to one call of `act`. */
interface Course {
  began: number;
  refusals: RefusalEvents;
  atRest: AtRest | undefined;
}

const longestReadMs = 120_000;
/** That a cookie banner takes to be declined. */
const longestBannerMs = 10_000;
const mostHarBytes = 1024 ** 2;
/** Told one by one; a page of fifty trackers is fifty rows for each time it is read. */
const mostRefusals = 10;

export class GuestWork {
  readonly #parts: GuestWorkParts;

  constructor(parts: GuestWorkParts) {
    this.#parts = parts;
  }

  /** A file of a site, as a page would get it. The guest is kept until its bytes have been read, or their reader has gone. */
  async fetch(caller: Caller, request: QuickRequest & { url: string }): Promise<FetchedFile> {
    const guest = await this.#borrow(caller, request);
    using held = new DisposableStack();
    held.defer(() => void guest[Symbol.asyncDispose]());
    const troubles = held.use(gatherTroubles(guest));
    const signal = AbortSignal.any([caller.gone, guest.gone]);
    try {
      const file = await fetchFile(guest, request, { signal, troubles });
      whenRead(file.content, held.move());
      return file;
    } catch (error) {
      throw guest.gone.aborted ? guestCrashed(guest.fault()) : error;
    }
  }

  /** With its events, which name a browser that is in no list. `atRest`: see `Work`. */
  async act<T>(
    action: Action,
    caller: Caller,
    request: QuickRequest,
    work: (work: Work) => Promise<T>,
    atRest?: AtRest,
  ): Promise<Made<T>> {
    const began = performance.now();
    const id = newId('browser');
    const note = (type: EventType, data: Record<string, unknown>): void => {
      if (caller.quiet) return;
      this.#parts.events.note({
        type,
        browserId: id,
        projectId: caller.projectId,
        at: Date.now(),
        data,
      });
    };
    const noteEnd = (type: 'quick.completed' | 'quick.failed', more: Record<string, unknown>): void =>
      note(type, { action, url: request.url, durationMs: Math.round(performance.now() - began), ...more });
    const refusals = new RefusalEvents(mostRefusals, (data) => note('policy.blocked', data));
    try {
      const made = await this.#visited(action, caller, request, { began, refusals, atRest }, work);
      noteEnd('quick.completed', { statusCode: made.statusCode });
      return made;
    } catch (error) {
      if (error instanceof NotModified) noteEnd('quick.completed', { statusCode: 304 });
      else noteEnd('quick.failed', { code: error instanceof ApiError ? error.code : 'INTERNAL' });
      throw error;
    }
  }

  async #visited<T>(
    action: Action,
    caller: Caller,
    request: QuickRequest,
    { began, refusals, atRest: wish }: Course,
    work: (work: Work) => Promise<T>,
  ): Promise<Made<T>> {
    const { assets: wanted } = request;
    const assets = wanted && (await readAssets(this.#parts.files, caller.projectId, wanted));
    const atRest = staysAtRest(request) ? wish : undefined;
    const guest = await this.#borrow(caller, request, (page, taken) => rehearse(page, atRest, taken));
    using held = new DisposableStack();
    held.defer(() => void guest[Symbol.asyncDispose]());
    const troubles = held.use(gatherTroubles(guest));
    held.defer(() => refusals.flush());
    held.defer(guest.watch({ refused: (refusal) => refusals.add(refusal) }));
    const signal = AbortSignal.any([caller.gone, guest.gone]);
    try {
      if (isCapture(request)) await addEarlyScripts(guest, request.addScript);
      const failOn = isCapture(request) ? request.failOn : undefined;
      const faults = failOn && held.use(await watchFaults(guest, failOn));
      await using undo = new AsyncDisposableStack();
      const { known } = caller;
      const looking = { forText: action === 'scrape', atRest };
      const around = { ...looking, signal, troubles, fresh: true, files: guest.files, keep: undo, known };
      const { atRest: seen, drawn, ...visited } = await visit(guest, { ...request, assets }, around);
      // What there is has been asked for: a script that never ends would only keep it from us.
      if (visited.timedOut) await endBusyScript(guest);
      const left = (): number => request.timeoutMs - (performance.now() - began);
      await orAborted(guest.bannersGone(Math.min(left(), longestBannerMs)), signal);
      const captcha = visited.plain ? [] : await this.#captchas(guest, caller, request, left(), signal);
      if (isCapture(request)) {
        const late = await isLate(guest, request, { signal, left }, { visited, faults }, undo);
        visited.timedOut ||= late;
      }
      caller.onward?.(await readOnward(guest, left()), visited);
      caller.visited?.(visited, captcha);
      const made = await orGone(
        work({ page: guest, visited, captcha, assets, atRest: seen, drawn, left }),
        signal,
      );
      // Last: a picture of all of a page makes it load what was out of sight.
      const har = wantsHar(request) ? await orGone(guest.har(mostHarBytes), signal) : undefined;
      if (isStream(made)) whenRead(made, held.move());
      return { ...visited, made, har };
    } catch (error) {
      throw guest.gone.aborted ? guestCrashed(guest.fault()) : error;
    }
  }

  /** Looked for where the caller is told of them, or wants them solved. */
  async #captchas(
    guest: Guest,
    caller: Caller,
    request: QuickRequest,
    left: number,
    signal: AbortSignal,
  ): Promise<CaptchaItem[]> {
    if (request.solveCaptcha) return this.#parts.captchas.resolvePage(guest, Math.max(left, 1), signal);
    return !isCapture(request) || caller.visited ? detectCaptchas(guest).catch(() => []) : [];
  }

  #borrow(caller: Caller, request: QuickRequest, rehearsal?: Rehearsal): Promise<Guest> {
    const { policy, proxy, cookies, tls, clientCertificates } = request;
    const emulation = emulationOf(request);
    const profile = request.profile && refOf(request.profile);
    const { projectId, gone: signal, waitMs, admit } = caller;
    const network = { policy, proxy, trust: tls?.trust, clientCertificates, logged: wantsHar(request) };
    const wishes = { ...network, cookies, emulation, profile, rehearsal };
    return this.#parts.guests.borrow(projectId, wishes, { signal, waitMs, admit });
  }
}

/** Nothing that the caller wants done comes between the visit and the work. */
const staysAtRest = (request: QuickRequest): boolean =>
  !request.policy?.consent && !(isCapture(request) && asksForReadiness(request));

const isCapture = (request: QuickRequest): request is QuickScreenshot | QuickPdf =>
  !('mainContent' in request);

/** Makes the page ready for its capture. True: the time was up before it was, and the caller wants what there is. */
async function isLate(
  guest: Guest,
  request: QuickScreenshot | QuickPdf,
  waiting: { signal: AbortSignal; left(): number },
  { visited, faults }: { visited: Visit; faults?: SeenFaults },
  undo: AsyncDisposableStack,
): Promise<boolean> {
  let late = false;
  if (asksForReadiness(request))
    await makeReady(guest, request, waiting, undo).catch(async (error: unknown) => {
      const isTimeout = error instanceof ApiError && error.code === 'QUICK_ACTION_TIMEOUT';
      if (!isTimeout || !request.partial) throw error;
      late = true;
      await endBusyScript(guest);
    });
  const { statusCode } = visited;
  if (request.failOn) await judge(guest, request.failOn, { statusCode, faults });
  return late;
}

const wantsHar = ({ include }: { include: readonly string[] }): boolean => include.includes('har');

/** A stream is read from the guest, which is given back only when the stream is over. */
function whenRead(made: Readable, held: DisposableStack): void {
  // A reader that takes longer holds a browser that others wait for.
  const timer = setTimeout(() => made.destroy(), longestReadMs).unref();
  made.once('close', () => {
    clearTimeout(timer);
    held.dispose();
  });
}

const isStream = (made: unknown): made is Readable =>
  typeof made === 'object' && made !== null && 'pipe' in made;

async function orGone<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    work.then(
      (made) => isStream(made) && made.destroy(),
      () => undefined,
    );
    throw error;
  }
}
