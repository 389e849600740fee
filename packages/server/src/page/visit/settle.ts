/**
 * Waiting that just works. A page without scripts is finished when it is loaded. One with scripts is finished when,
 * after that, it has fetched nothing and its text has not grown for a while: a short one where nothing happened, a
 * longer one where something did, the longest where there is hardly any text yet and scripts are to bring it. Where
 * its text is wanted it is then scrolled through, for what scripts bring only to a reader who gets there. A page that
 * never comes to rest (a ticker, a poll, an open stream) is read all the same, soon after.
 */
import type { Expression } from '../../kit/page-program.ts';
import { lookIn, lookInto, PageBusyError, type PageSession, settlingProgram } from '../reach/reach.ts';
import { type AtRest, Drawing, type Look, reading, WorldAhead, watching } from './at-rest.ts';
import type { Loading } from './loading.ts';

const quietMs = { reached: 100, still: 250, lively: 500, thin: 1500 };
const restlessMs = { reached: 3000, still: 3000, lively: 3000, thin: 5000 };
const thinText = 200;
/** Loading that brings nothing any more (a picture that never comes) is over. */
const stalledMs = 3000;
/** So is loading that brings ever more (a picture that fails and is asked for again). */
const endlessMs = 5000;
const lookEveryMs = 50;
const drawingMs = 250;

export interface Waiting {
  signal: AbortSignal;
  /** Milliseconds until the whole visit must be over. */
  left(): number;
}

const arrived = (loading: Loading): boolean =>
  loading.staying &&
  (loading.loaded ||
    (loading.interactive && (loading.quietFor > stalledMs || loading.interactiveFor > endlessMs)));

/**
 * Resolves when the page is there as a person would want to read it: all of it, or what shows first. `atRest` is got of a page in
 * which nothing acts or asks.
 */
export async function settle(
  page: PageSession,
  loading: Loading,
  waiting: Waiting,
  { all, atRest }: { all: boolean; atRest?: AtRest },
): Promise<void> {
  for (;;) {
    await until(loading, waiting, () => loading.staying);
    let world = new WorldAhead(page, loading, waiting.left(), atRest);
    await until(loading, waiting, () => arrived(loading) || isParsed(loading));
    if (!world.isOfThis) world = new WorldAhead(page, loading, waiting.left(), atRest);
    if (atRest?.words && (await isRead(page, loading, waiting, atRest, world))) return;
    const isPlain = atRest?.draw && !arrived(loading) && world.isPlain();
    await until(loading, waiting, () => arrived(loading));
    const drawing = (await isPlain) && atRest?.draw && new Drawing(loading, atRest.draw(page));
    const seen = await look(page, watching(atRest), loading, waiting, world);
    if (!seen || !arrived(loading)) continue;
    loading.plain = seen.plain;
    if (!seen.scripts && !loading.busy) {
      if (seen.lazy && (await asksWhenDrawn(page, loading, waiting))) continue;
      loading.atRest = seen.atRest;
      if (drawing) loading.drawn = await drawing.atRest(waiting.signal);
      return;
    }
    const pace = seen.text < thinText ? 'thin' : 'still';
    if (!(await restsFor(page, loading, waiting, { pace, grown: 0 }))) continue;
    if (!all) return;
    const end = await look(page, { look: settlingProgram.callLoaded('scrollThrough') }, loading, waiting);
    if (end && !end.scrolled) return;
    if (end && (await restsFor(page, loading, waiting, { pace: 'reached', grown: end.grown }))) return;
  }
}

const isParsed = (loading: Loading): boolean => loading.staying && loading.interactive;

/** What a page has put off until it is near is asked for in a moment. */
async function asksWhenDrawn(page: PageSession, loading: Loading, waiting: Waiting): Promise<boolean> {
  const { asked } = loading;
  await look(page, { look: settlingProgram.callLoaded('drawn', drawingMs) }, loading, waiting);
  return loading.asked > asked;
}

/** True: its words were read before its pictures were there. They need not be waited for. */
async function isRead(
  page: PageSession,
  loading: Loading,
  waiting: Waiting,
  atRest: AtRest,
  world: WorldAhead,
): Promise<boolean> {
  const isEarly = (): boolean => isParsed(loading) && !arrived(loading) && !loading.document?.moves;
  for (;;) {
    if (!isEarly()) return false;
    const seen = await unless(
      () => !isEarly(),
      loading,
      waiting,
      look(page, reading(atRest), loading, waiting, world),
    );
    if (!seen || seen.atRest === undefined) return false;
    // A sheet that wants another one says so before the look is answered.
    if (loading.openSheets > 0) {
      await until(loading, waiting, () => !isEarly() || loading.openSheets === 0);
      continue;
    }
    if (!isParsed(loading)) return false;
    loading.plain = true;
    loading.atRest = seen.atRest;
    return true;
  }
}

/** What is found, or nothing as soon as it is too late for that: a sheet may never come. */
async function unless<T>(
  isLate: () => boolean,
  loading: Loading,
  waiting: Waiting,
  found: Promise<T | undefined>,
): Promise<T | undefined> {
  let isOver = false;
  const late = until(loading, waiting, () => isOver || isLate()).then(() => undefined);
  try {
    return await Promise.race([found, late]);
  } finally {
    isOver = true;
    late.catch(() => undefined);
    found.catch(() => undefined);
  }
}

/** Nothing when the page left at that moment. */
async function look<T>(
  page: PageSession,
  { load, look: expression }: Look<T>,
  loading: Loading,
  waiting: Waiting,
  ahead?: WorldAhead,
): Promise<T | undefined> {
  try {
    const world = await ahead?.id();
    if (world !== undefined) return await lookIn(page, () => world, expression, waiting.left());
    const whole: Expression<T | undefined> = load ? `${load}; ${expression}` : expression;
    return await lookInto(page, whole, waiting.left());
  } catch (error) {
    if (error instanceof PageBusyError) throw error;
    await loading.nextEvent(lookEveryMs);
    check(loading, waiting);
    return undefined;
  }
}

interface Rest {
  pace: keyof typeof quietMs;
  /** Characters that had been added before. */
  grown: number;
}

/** False when the page left for another one meanwhile. */
async function restsFor(
  page: PageSession,
  loading: Loading,
  waiting: Waiting,
  { pace, grown }: Rest,
): Promise<boolean> {
  const began = performance.now();
  let restingSince = began;
  for (;;) {
    await loading.nextEvent(lookEveryMs);
    check(loading, waiting);
    if (!arrived(loading)) return false;
    const now = performance.now();
    const chars = await look(page, { look: settlingProgram.callLoaded('grown') }, loading, waiting);
    // Another document has come in between.
    if (chars === undefined) return false;
    if (chars > grown || loading.busy) {
      restingSince = now;
      if (pace !== 'thin' || chars > thinText) pace = 'lively';
    }
    grown = chars;
    if (now - restingSince >= quietMs[pace] || now - began >= restlessMs[pace]) return true;
  }
}

export async function until(loading: Loading, waiting: Waiting, there: () => boolean): Promise<void> {
  while (!there()) {
    await loading.nextEvent(lookEveryMs);
    check(loading, waiting);
  }
}

export class VisitTimeout extends Error {}
export class PageCrashed extends Error {}
export class PageFailed extends Error {
  /** Of the page that Chromium shows instead. */
  readonly failure: { url: string; errorText: string } | undefined;

  constructor(failure?: { url: string; errorText: string }) {
    super();
    this.failure = failure;
  }
}

/** Throws when there is nothing more to wait for. */
export function check(loading: Loading, { signal, left }: Waiting): void {
  signal.throwIfAborted();
  if (loading.trouble) throw loading.trouble;
  if (loading.crashed) throw new PageCrashed();
  if (loading.failure && loading.staying) throw new PageFailed(loading.failure);
  if (left() <= 0) throw new VisitTimeout();
}
