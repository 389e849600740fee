/**
 * What a caller wants of the page, got on the way: a page without scripts does not change by itself, so it is read, measured or
 * drawn in the very look that finds it at rest, and no round trip is spent on that after the visit.
 *
 *   parsed ──> sheets there ──> loaded ──> at rest
 *                  └ its words are read   └ it is looked at, and drawn at the same time
 */
import { orAborted } from '../../kit/or-aborted.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { SettlingProgram } from '../inside/inside.ts';
import { lookIn, type PageSession, rehearsalProgram, settlingProgram, worldOf } from '../reach/reach.ts';
import type { Loading } from './loading.ts';

export interface AtRest {
  /** Looked for in a page in which nothing acts or asks. It must not throw. */
  look: Expression<unknown>;
  /** Brings the program that `look` calls. */
  load?: Expression<undefined>;
  /** Only what is written is wanted: pictures are not waited for. */
  words?: boolean;
  /** Begun as soon as such a page is loaded. */
  draw?(page: PageSession): Promise<unknown>;
}

export type Watched = ReturnType<SettlingProgram['watch']> & { atRest?: unknown };

export interface Look<T> {
  /** Brings the programs that `look` calls, which gives nothing where they are not. */
  load?: Expression<undefined>;
  look: Expression<T | undefined>;
}

const programsFor = (atRest: AtRest | undefined): Expression<undefined> =>
  [settlingProgram.load(), atRest?.load].filter((each) => each !== undefined).join('; ');

/** In one look: a page that is at rest already is not asked again. */
export function watching(atRest: AtRest | undefined): Look<Watched> {
  const watch = settlingProgram.callLoaded('watch');
  const load = programsFor(atRest);
  if (!atRest) return { load, look: watch };
  return { load, look: `((seen) => (seen?.plain ? { ...seen, atRest: ${atRest.look} } : seen))(${watch})` };
}

/** Null: the words of the page are not there yet, or may change. */
export const reading = (atRest: AtRest): Look<{ atRest?: unknown } | null> => ({
  load: programsFor(atRest),
  look: `(async () => ((await ${settlingProgram.callLoaded('isWritten')}) ? { atRest: ${atRest.look} } : null))()`,
});

/** The world that a document is looked at from, with its programs, is made while what the document names still comes. */
export class WorldAhead {
  readonly #page: PageSession;
  readonly #loading: Loading;
  readonly #loaderId: string | undefined;
  readonly #ms: number;
  readonly #made: Promise<number | undefined>;

  constructor(page: PageSession, loading: Loading, ms: number, atRest: AtRest | undefined) {
    this.#page = page;
    this.#loading = loading;
    this.#loaderId = loading.loaderId;
    this.#ms = Math.max(ms, 1);
    this.#made = this.#make(programsFor(atRest)).catch(() => undefined);
  }

  /** What is asked next finds the programs: Chromium takes commands in their order. */
  async #make(load: Expression<undefined>): Promise<number> {
    const world = await worldOf(this.#page, this.#ms);
    void lookIn(this.#page, () => world, load, this.#ms).catch(() => undefined);
    return world;
  }

  /** Of the document that is there now. */
  get isOfThis(): boolean {
    return this.#loading.loaderId === this.#loaderId;
  }

  /** Undefined: it is another document's by now. */
  async id(): Promise<number | undefined> {
    return this.isOfThis ? this.#made : undefined;
  }

  /** Asked while the document is parsed, but not loaded: what has no scripts then will get none. */
  async isPlain(): Promise<boolean> {
    const world = await this.#made;
    if (world === undefined) return false;
    return lookIn(this.#page, () => world, settlingProgram.callLoaded('isPlain'), this.#ms)
      .then((isPlain) => isPlain === true)
      .catch(() => false);
  }
}

/** A picture that was begun. It is of the page at rest if the page has asked for nothing since. */
export class Drawing {
  readonly #loading: Loading;
  readonly #asked: number;
  readonly #drawn: Promise<unknown>;

  constructor(loading: Loading, drawn: Promise<unknown>) {
    this.#loading = loading;
    this.#asked = loading.asked;
    // It is drawn again then, and that tells the caller why it cannot be.
    this.#drawn = drawn.catch(() => undefined);
  }

  async atRest(signal: AbortSignal): Promise<unknown> {
    const drawn = await orAborted(this.#drawn, signal);
    return this.#loading.asked === this.#asked ? drawn : undefined;
  }
}

const rehearsalMs = 5000;

/**
 * The look at the next page of a process, at a sample in its blank page: what it runs is then compiled, and the fonts are there.
 * Nothing is sent once the page is `taken`: it may be the caller's document by then.
 */
export async function rehearse(
  page: PageSession,
  atRest: AtRest | undefined,
  taken: AbortSignal,
): Promise<void> {
  const world = await worldOf(page, rehearsalMs);
  if (taken.aborted) return;
  const { look } = watching(atRest);
  const rehearsal = `(() => {
    ${rehearsalProgram.call('show')};
    try { ${look}; } finally { ${rehearsalProgram.callLoaded('clear')}; ${settlingProgram.callLoaded('forget')}; }
  })()`;
  await Promise.all(
    [programsFor(atRest), rehearsal].map((each) => lookIn(page, () => world, each, rehearsalMs)),
  );
}
