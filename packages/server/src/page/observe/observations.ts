/**
 * What callers see of the pages of living browsers:
 *
 *   page ──> read (tree or text) ──> masked ──> compared with an earlier one ──> cut to size ──> answer
 *                                        └──> too long: kept whole as a file, with an index of its parts
 */
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { BrowsersOnNode, Running } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Masks } from '../../secrets/secrets.ts';
import { Line, tabOf, useBrowser } from '../reach/reach.ts';
import { inShare } from './in-share.ts';
import { KeptWholes } from './kept-wholes.ts';
import { Memory, type Remembered } from './memory.ts';
import { type Read, read } from './read.ts';
import type { ObservedPage, ObservePage, SeenAs, Wanted } from './schema.ts';
import { countTokens, diff, indexOf, partOf } from './write/write.ts';

export interface ObservationsParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  artifacts: Pick<Artifacts, 'add' | 'get'>;
  masks: Pick<Masks, 'text' | 'deep'>;
  log: Log;
}

interface Known {
  memory: Memory;
  /** Of the tabs that are being looked at: one that does not answer keeps no other waiting. */
  lines: Map<string, Line>;
}

export class Observations {
  readonly #parts: ObservationsParts;
  readonly #wholes: KeptWholes;
  readonly #known = new WeakMap<Running, Known>();

  constructor(parts: ObservationsParts) {
    this.#parts = parts;
    this.#wholes = new KeptWholes(parts);
  }

  /** Beside the scripts of the browser, not in their turn. */
  observe(
    caller: { projectId: string; keyId: string },
    id: string,
    { tabId: wanted, ...asked }: ObservePage,
    gone: AbortSignal,
  ): Promise<ObservedPage> {
    return useBrowser(this.#parts.browsers, [caller.projectId, id], gone, async (running, signal) => {
      const tabId = await tabOf(running, wanted);
      const seen = await this.see(running, { keyId: caller.keyId, tabId }, asked, signal);
      const { tabs } = running.live;
      await tabs.refresh();
      const page = tabs.list().find((tab) => tab.tabId === tabId);
      if (!page) throw new ApiError('TAB_NOT_FOUND', `The tab ${tabId} was closed meanwhile.`);
      return { page: this.#parts.masks.deep(caller.projectId, page), ...seen };
    });
  }

  /** The whole of it, for a record of the run; no later observation is compared with it. */
  async whole(running: Running, tabId: string, asked: Wanted): Promise<string> {
    return (await this.#read(running, tabId, asked)).text;
  }

  async see(
    running: Running,
    { keyId, tabId }: { keyId: string; tabId: string },
    asked: Wanted,
    signal?: AbortSignal,
  ): Promise<SeenAs> {
    const { memory } = this.#knownOf(running);
    const now = await this.#inLine(running, tabId, () => this.#read(running, tabId, asked), signal);
    const { kind, maxChars, startFrom } = asked;
    const own = { keyId, tabId, asked: variantOf(asked) };
    const last = asked.find ? undefined : memory.last(own);
    const changed = last?.text !== now.stable || last?.document !== now.document;
    const base = asked.since === undefined ? last : memory.get(asked.since);
    const { projectId } = running;
    const compared =
      asked.as === 'diff'
        ? await inShare(projectId, () => compare(base, { ...own, ...now }, kind === 'aria'))
        : {};
    const remembered = asked.find
      ? undefined
      : !changed && last
        ? last
        : memory.add({ ...own, document: now.document, text: now.stable });
    const whole = compared.text ?? now.text;
    const { content, chars, nextStart } = partOf(whole, startFrom, maxChars);
    const tooLong = chars > maxChars;
    return {
      kind,
      as: compared.text === undefined ? 'full' : 'diff',
      ...(remembered && { id: remembered.id }),
      content,
      chars,
      tokens: await countTokens(projectId, content),
      truncated: nextStart !== undefined,
      ...(nextStart !== undefined && { nextStart }),
      changed,
      ...(compared.fullReason && { fullReason: compared.fullReason }),
      ...(now.matches !== undefined && { matches: now.matches }),
      ...(now.view && { view: now.view }),
      ...(tooLong && startFrom === 0 && { index: indexOf(whole, maxChars) }),
      ...(tooLong && asked.store && { file: await this.#wholes.keep(running, tabId, kind, whole) }),
      ...(now.incomplete && { incomplete: true as const }),
    };
  }

  /** A value of a secret is masked before the text is cut: half of it would not be known for one. */
  async #read(running: Running, tabId: string, asked: Wanted): Promise<Read> {
    const seen = await read(running, tabId, asked);
    const mask = (text: string): string => this.#parts.masks.text(running.projectId, text);
    const text = mask(seen.text);
    return { ...seen, text, stable: seen.stable === seen.text ? text : mask(seen.stable) };
  }

  async #inLine<T>(
    running: Running,
    tabId: string,
    work: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { lines } = this.#knownOf(running);
    const line = lines.get(tabId) ?? new Line();
    lines.set(tabId, line);
    try {
      return await line.run(work, signal);
    } finally {
      if (line.waiting === 0) lines.delete(tabId);
    }
  }

  #knownOf(running: Running): Known {
    const known = this.#known.get(running) ?? { memory: new Memory(), lines: new Map<string, Line>() };
    this.#known.set(running, known);
    return known;
  }
}

/** What decides whether two observations can be compared. */
const variantOf = ({
  kind,
  scope,
  selector,
  depth,
  interactiveOnly,
  viewportOnly,
  urls,
  boxes,
}: Wanted): string =>
  JSON.stringify([kind, scope, selector, depth, interactiveOnly, viewportOnly, urls, boxes]);

function compare(
  base: Remembered | undefined,
  now: { tabId: string; asked: string; document: string; stable: string; text: string },
  nested: boolean,
): { text?: string; fullReason?: SeenAs['fullReason'] } {
  if (!base) return { fullReason: 'nothing_before' };
  if (base.tabId !== now.tabId || base.asked !== now.asked) return { fullReason: 'asked_differently' };
  if (base.document !== now.document) return { fullReason: 'new_document' };
  const { text } = diff(base.text, now.stable, nested);
  return text.length < now.text.length ? { text } : { fullReason: 'not_smaller' };
}
