/**
 * Reads a tab as one tree: the document of the tab, and in the nodes of its frames their documents, whichever process they are in.
 * A frame that does not answer in its time says so in its place; the rest is read without it.
 */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { ReadDocument, SeenNode, SeenPage } from '../inside/inside.ts';
import {
  dialogOpen,
  nearestCandidates,
  observeProgram,
  pageCrashed,
  targetOf,
  unlessItEnds,
} from '../reach/reach.ts';
import { type CheckedDocument, checkedAnswer } from './checked.ts';
import { tellListeners } from './listeners.ts';
import { type Place, placeBelow, placeOf, topPlace } from './places.ts';
import { prefixIn, refsOf, type TabRefs } from './tab-refs.ts';
import { loaderOf, lookThere, nodeThere, worldBelow } from './worlds.ts';

export interface ReadTree {
  /** Only what is in the first element that this CSS selector matches, in the page or in one of its open shadow trees. */
  selector?: string;
  /** Only what is in the element that has this reference. */
  ref?: string;
  /** Elements that match this CSS selector get a reference and are marked. */
  mark?: string;
  /** Every node gets a reference, not only those that an agent is likely to need. */
  allRefs?: boolean;
  /** Every node gets its box. */
  boxes?: boolean;
  /** How long the reading may take. */
  ms: number;
}

const mostFrames = 50;
const deepestFrame = 6;
/** Of the time that is left: what finding listeners, walking through a document, and reading a frame may take. */
const shares = { listeners: 0.25, walk: 0.7, frame: 0.6 };

export async function readTree(running: Running, tabId: string, asked: ReadTree): Promise<SeenPage> {
  const page = await targetOf(running, tabId);
  const blocker = page.blocker();
  if (blocker === 'crashed') throw pageCrashed(page);
  if (blocker === 'dialog') throw dialogOpen();
  return unlessItEnds(page, () => new Reading(running, tabId, asked).read());
}

class Reading {
  readonly #running: Running;
  readonly #tabId: string;
  readonly #asked: ReadTree;
  readonly #refs: TabRefs;
  readonly #until: number;
  #moreFrames = mostFrames;
  #cut = false;

  constructor(running: Running, tabId: string, asked: ReadTree) {
    this.#running = running;
    this.#tabId = tabId;
    this.#asked = asked;
    this.#refs = refsOf(running, tabId);
    this.#until = performance.now() + asked.ms;
  }

  async read(): Promise<SeenPage> {
    const { ref, selector } = this.#asked;
    const top = await topPlace(this.#running, this.#tabId, this.#msUntil(this.#until));
    const document = await loaderOf(top.world, this.#msUntil(this.#until));
    const prefix = ref === undefined ? '' : prefixIn(ref);
    const place = await placeOf(top, this.#running, this.#tabId, prefix, this.#msUntil(this.#until));
    if (place) await this.#hear(place, this.#until);
    const read = place && (await this.#document(place, prefix, { ref, selector }, this.#until));
    if (!read) throw await this.#notFound(top);
    await this.#fillFrames(read, place, 0, this.#until);
    const isTop = prefix === '';
    const { scroll, viewport, title } = read.read;
    const view = isTop
      ? { scroll, viewport }
      : await lookThere(top.world, observeProgram.call('view'), this.#msUntil(this.#until));
    return { root: read.read.root, ...view, document, title, ...(this.#cut && { cut: true }) };
  }

  #msUntil(until: number): number {
    return Math.max(Math.round(until - performance.now()), 1);
  }

  async #hear({ world }: Place, until: number): Promise<void> {
    await tellListeners(world, this.#msUntil(until) * shares.listeners);
  }

  /** Undefined: what was asked for is not in it. */
  async #document(
    { world, corner, view }: Place,
    prefix: string,
    part: Pick<ReadTree, 'ref' | 'selector'>,
    until: number,
  ): Promise<CheckedDocument | undefined> {
    const { mark, allRefs, boxes } = this.#asked;
    const ms = this.#msUntil(until);
    const asked = {
      ...{ prefix, after: prefix === '' ? this.#refs.last : 0, corner, view },
      ...{ ...part, mark, allRefs, boxes, ms: ms * shares.walk },
    };
    const found = checkedAnswer(await lookThere(world, observeProgram.call('read', asked), ms));
    if ('missing' in found) return undefined;
    if ('wrong' in found) throw notCss(part.selector, mark);
    if (prefix === '') this.#refs.last = Math.max(this.#refs.last, found.read.last);
    if (found.read.cut) this.#cut = true;
    return found;
  }

  async #fillFrames(outer: CheckedDocument, place: Place, depth: number, until: number): Promise<void> {
    if (outer.read.frames.length === 0) return;
    const share = this.#msUntil(until) * (depth === 0 ? shares.frame : 1);
    const frameUntil = performance.now() + share;
    await Promise.all(
      outer.read.frames.map(async (box) => {
        const node = outer.frames.get(box.ref);
        if (!node) return;
        if (depth >= deepestFrame || this.#moreFrames-- <= 0) {
          this.#cut = true;
          return;
        }
        try {
          await this.#fillFrame(node, place, box, depth, frameUntil);
        } catch (error) {
          if (error instanceof ApiError && error.code === 'VALIDATION_FAILED') throw error;
          node.children = ['(this frame cannot be read at the moment)'];
        }
      }),
    );
  }

  async #fillFrame(
    node: SeenNode,
    outer: Place,
    box: ReadDocument['frames'][number],
    depth: number,
    until: number,
  ): Promise<void> {
    const expression = observeProgram.callLoaded('element', box.ref);
    const owner = await nodeThere(outer.world, expression, this.#msUntil(until));
    if (owner?.frameId === undefined) return;
    const world = await worldBelow(outer.world, owner.frameId, this.#msUntil(until));
    const place = placeBelow(outer, box, world);
    // It has a process of its own.
    if (world.holder === owner.frameId) await this.#hear(place, until);
    const inner = await this.#document(place, this.#refs.prefixOf(world, box.ref), {}, until);
    if (!inner) return;
    node.children = inner.read.root.children;
    const name = node.name ?? inner.read.title;
    if (name) node.name = name;
    await this.#fillFrames(inner, place, depth + 1, until);
  }

  async #notFound(top: Place): Promise<ApiError> {
    const { ref, selector } = this.#asked;
    if (ref !== undefined) return staleRef(ref);
    const candidates = await nearestCandidates(top.world.page, selector ?? '');
    const near = candidates.length > 0 ? ` Nearest: ${candidates.join(', ')}.` : '';
    return new ApiError(
      'SELECTOR_NOT_FOUND',
      `Nothing on the page matches ${selector?.slice(0, 200)}.${near}`,
      {
        details: { selector, candidates },
      },
    );
  }
}

const staleRef = (ref: string): ApiError =>
  new ApiError(
    'SELECTOR_NOT_FOUND',
    `Nothing on the page has the reference ${ref.slice(0, 40)} now: what had it is gone, or the page was left. Observe the page again.`,
    { details: { selector: `aria-ref=${ref.slice(0, 40)}`, candidates: [] } },
  );

function notCss(selector: string | undefined, mark: string | undefined): ApiError {
  const text = selector ?? mark ?? '';
  return new ApiError('VALIDATION_FAILED', `This is no CSS selector: ${text.slice(0, 200)}`, {
    details: {
      issues: [{ path: selector === undefined ? 'find.css' : 'selector', reason: 'not a CSS selector' }],
    },
  });
}
