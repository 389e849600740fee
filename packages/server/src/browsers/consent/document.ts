/**
 * One document in which banners are declined. The service fetches the reports of the program in it, at its own pace, and passes
 * on what the page's own world answers to the questions in them:
 *
 *   program ──report──> questions, each the name of a snippet ──> page's own world ──> answers ──> program
 */
import type { Cdp } from '../../chromium/chromium.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import type { BannerLibrary } from './banner-library.ts';
import type { Answer, BannerState, Dealt, Question, Report } from './inside/inside.ts';

export const worldName = 'browserd consent';

/** The program is done long before, unless its page changes a little every minute. */
const longestMs = 30 * 60_000;
const startMs = 10_000;
/** The program waits no longer for an answer. */
const answerMs = 1000;
/** Rounds of a report and answers within a while; what comes after them waits for the next. */
const mostRounds = 40;
const roundsMs = 1000;
const mostQuestions = 40;
const mostDealt = 20;
const longestName = 100;

export interface DocumentParts {
  cdp: Cdp;
  library: BannerLibrary;
  sessionId: string;
  frameId: string;
  onChange(): void;
  onDealt(banner: Dealt): void;
}

export class BannerDocument {
  readonly #parts: DocumentParts;
  readonly #rounds = new FloodWindow(mostRounds, roundsMs);
  #contextId: number | undefined;
  #ended = false;
  /** The document, as an object of the page's own world. */
  #own: Promise<string> | undefined;
  state: BannerState = 'waiting';

  constructor(parts: DocumentParts) {
    this.#parts = parts;
  }

  /** Banners that show from now on stay. */
  end(): void {
    this.#ended = true;
    if (this.#contextId === undefined) return;
    const { cdp, library, sessionId } = this.#parts;
    const stop = { expression: library.program.callLoaded('stop'), contextId: this.#contextId };
    void cdp.send('Runtime.evaluate', stop, { sessionId }).catch(() => undefined);
  }

  /** Resolves when nothing more will come of it: the program is done, or the document is gone. */
  async follow(): Promise<void> {
    const { cdp, library, sessionId, frameId, onChange, onDealt } = this.#parts;
    const world = { frameId, worldName };
    try {
      const options = { sessionId, timeoutMs: startMs };
      const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', world, options);
      this.#contextId = contextId;
      let answers: Answer[] = [];
      while (!this.#ended) {
        const report = await this.#evaluate(contextId, library.program.callLoaded('exchange', answers));
        if (!report || this.#ended) return;
        this.state = report.state;
        for (const { maker, declined, hidden } of report.dealt.slice(0, mostDealt))
          onDealt({ maker: String(maker).slice(0, longestName), declined, hidden });
        onChange();
        if (report.over) return;
        answers = await this.#answers(contextId, report.questions);
        while (!this.#rounds.admits()) await nextWhile();
      }
    } finally {
      this.state = 'idle';
      onChange();
    }
  }

  async #evaluate(contextId: number, expression: string): Promise<Report | undefined> {
    const { result, exceptionDetails } = await this.#parts.cdp.send(
      'Runtime.evaluate',
      { expression, contextId, returnByValue: true, awaitPromise: true },
      { sessionId: this.#parts.sessionId, timeoutMs: longestMs },
    );
    return exceptionDetails ? undefined : (result.value as Report | undefined);
  }

  #answers(contextId: number, questions: readonly Question[]): Promise<Answer[]> {
    return Promise.all(
      questions.map(async ({ id, snippet }, n) => {
        const declaration = n < mostQuestions ? this.#parts.library.snippets.get(snippet) : undefined;
        const result = declaration !== undefined && (await this.#holds(contextId, declaration));
        return { id, result };
      }),
    );
  }

  /** Whether it holds in the page's own world; not, if that does not answer. */
  async #holds(contextId: number, functionDeclaration: string): Promise<boolean> {
    const { cdp, sessionId } = this.#parts;
    try {
      this.#own ??= this.#ownWorld(contextId);
      const { result } = await cdp.send(
        'Runtime.callFunctionOn',
        { objectId: await this.#own, functionDeclaration, returnByValue: true, silent: true },
        { sessionId, timeoutMs: answerMs },
      );
      return result.value === true;
    } catch {
      return false;
    }
  }

  /** A node belongs to the document, whatever world it is seen from; without one named, Chromium gives it in the page's own. */
  async #ownWorld(contextId: number): Promise<string> {
    const { cdp, sessionId } = this.#parts;
    const options = { sessionId, timeoutMs: answerMs };
    const { result } = await cdp.send('Runtime.evaluate', { contextId, expression: 'document' }, options);
    const { node } = await cdp.send('DOM.describeNode', { objectId: result.objectId }, options);
    const { backendNodeId } = node;
    const { object } = await cdp.send('DOM.resolveNode', { backendNodeId }, options);
    return object.objectId ?? '';
  }
}

const nextWhile = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, roundsMs).unref());
