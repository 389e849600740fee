import type { Artifacts } from '../artifacts/artifacts.ts';
import type { BrowsersOnNode, Running } from '../browsers/browsers.ts';
import { ApiError } from '../errors.ts';
import type { Events, EventType } from '../events/events.ts';
import type { Log } from '../kit/log.ts';
import type { RunnerHost, RunOutcome } from '../runner/runner.ts';
import { type Witness, witness } from './activity.ts';
import { nearestCandidates } from './candidates.ts';
import { Desk, type DeskParts } from './desk.ts';
import { readinessOf } from './look.ts';
import { observe } from './observe.ts';
import {
  defaultScreenshot,
  type ExecuteScript,
  type Execution,
  type ScreenshotRequest,
  type ScriptError,
} from './schema.ts';
import type { ScrapedTab, ScrapeTab } from './scrape-schema.ts';
import { storeScreenshot } from './screenshot.ts';
import { explainFailure } from './script-error.ts';
import { scrapeTab } from './tab-scrape.ts';

export type { ExitTroubles, PageSession } from './page-session.ts';
export { type ScrapedPage, scrape } from './scrape.ts';
export { type Visit, type VisitRequest, visit } from './visit.ts';

/** What is done to a living browser by its owner's code. */
export interface PagesParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  runners: RunnerHost;
  artifacts: Artifacts;
  events: Events;
  log: Log;
  /** Code is run only where it can be walled in as its owners require; throws otherwise. */
  checkIsolation(): Promise<void>;
}

const freezeAfterMs = 10_000;
const dropAfterMs = 300_000;

export class Pages {
  readonly #parts: PagesParts;
  readonly #deskParts: DeskParts;
  readonly #desks = new Map<string, Desk>();

  constructor(parts: PagesParts) {
    this.#parts = parts;
    const { runners, artifacts, log } = parts;
    this.#deskParts = { runners, artifacts, log, freezeAfterMs, dropAfterMs };
  }

  /** Runs the code in its turn. The caller's hanging up (`signal`) ends it. */
  async execute(
    projectId: string,
    id: string,
    request: ExecuteScript,
    signal: AbortSignal,
  ): Promise<Execution> {
    const running = await this.#parts.browsers.use(projectId, id);
    await this.#parts.checkIsolation();
    const desk = this.#deskOf(running);
    return desk.inTurn(async () => {
      if (running.left.aborted) throw await this.#whyLeft(running);
      const tabId = await this.#tabOf(running, request.tabId);
      running.acted();
      const call = new Call(this.#parts, desk, request, tabId, AbortSignal.any([signal, running.left]));
      try {
        return await call.execute();
      } catch (error) {
        throw running.left.aborted ? await this.#whyLeft(running) : error;
      } finally {
        running.acted();
      }
    });
  }

  /** Beside the scripts, not in their turn. */
  async scrape(projectId: string, id: string, request: ScrapeTab, signal: AbortSignal): Promise<ScrapedTab> {
    const running = await this.#parts.browsers.use(projectId, id);
    const tabId = await this.#tabOf(running, request.tabId);
    running.acted();
    try {
      return await scrapeTab(running, tabId, request, AbortSignal.any([signal, running.left]));
    } catch (error) {
      throw running.left.aborted ? await this.#whyLeft(running) : error;
    } finally {
      running.acted();
    }
  }

  /** Closed, stopped or crashed under the call: the record knows. */
  async #whyLeft(running: Running): Promise<unknown> {
    const crashed = new ApiError(
      'BROWSER_CRASHED',
      `Chromium of browser ${running.id} ended during the call; it is ready again, with another Chromium.`,
    );
    return this.#parts.browsers.use(running.projectId, running.id).then(
      () => crashed,
      (error: unknown) => error,
    );
  }

  async close(): Promise<void> {
    await Promise.all([...this.#desks.values()].map((desk) => desk.close()));
  }

  #deskOf(running: Running): Desk {
    const known = this.#desks.get(running.id);
    if (known?.running === running) return known;
    const desk = new Desk(this.#deskParts, running);
    this.#desks.set(running.id, desk);
    const forget = () => {
      if (this.#desks.get(running.id) === desk) this.#desks.delete(running.id);
    };
    running.left.addEventListener('abort', forget, { once: true });
    return desk;
  }

  /** A browser whose last tab was closed gets a new one. */
  async #tabOf(running: Running, asked: string | undefined): Promise<string> {
    const { tabs } = running.live;
    const tabId = asked ?? tabs.active?.tabId ?? (await tabs.open());
    if (tabs.targetOf(tabId)) return tabId;
    throw new ApiError(
      'TAB_NOT_FOUND',
      `There is no tab ${tabId.slice(0, 64)} in this browser; \`status\` lists them.`,
    );
  }
}

/** One call from the start of the code to the answer. */
class Call {
  readonly #parts: PagesParts;
  readonly #desk: Desk;
  readonly #running: Running;
  readonly #request: ExecuteScript;
  readonly #tabId: string;
  readonly #signal: AbortSignal;

  constructor(parts: PagesParts, desk: Desk, request: ExecuteScript, tabId: string, signal: AbortSignal) {
    this.#parts = parts;
    this.#desk = desk;
    this.#running = desk.running;
    this.#request = request;
    this.#tabId = tabId;
    this.#signal = signal;
  }

  async execute(): Promise<Execution> {
    const began = performance.now();
    this.#note('script.started', { tabId: this.#tabId });
    const { code, args, timeoutMs } = this.#request;
    const seen = witness(this.#running);
    try {
      const outcome = await this.#desk.run({ code, args, timeoutMs, tabId: this.#tabId }, this.#signal);
      this.#running.left.throwIfAborted();
      if (outcome.error?.code === 'SCRIPT_TIMEOUT') await this.#freeThePages();
      const front = outcome.lastTargetId && this.#running.live.tabs.tabOf(outcome.lastTargetId);
      if (front) await this.#running.live.tabs.activate(front);
      const answer = await this.#answer(outcome, seen);
      const type = answer.success ? 'script.completed' : 'script.failed';
      this.#note(type, { tabId: this.#tabId, durationMs: outcome.durationMs, code: answer.error?.code });
      return { ...answer, durationMs: Math.round(performance.now() - began) };
    } finally {
      seen.stop();
    }
  }

  async #answer(outcome: RunOutcome, seen: Witness): Promise<Omit<Execution, 'durationMs'>> {
    const { tabs } = this.#running.live;
    await tabs.refresh();
    const page = tabs.active ?? null;
    const capture = this.#request.capture || {};
    const error = outcome.error && (await this.#explain(outcome.error, seen));
    const observed = capture.observation && wants(capture.observation.includeOn, outcome.ok);
    return {
      success: outcome.ok,
      result: outcome.ok ? (outcome.result ?? null) : null,
      error,
      logs: outcome.logs,
      page,
      ...(capture.status && { status: await this.#status(seen) }),
      ...(observed &&
        page &&
        capture.observation && {
          observation: await observe(
            this.#running,
            this.#desk,
            page.tabId,
            capture.observation,
            this.#desk.seen,
          ),
        }),
      ...(capture.screenshot &&
        page && { screenshot: await this.#screenshot(page.tabId, capture.screenshot) }),
      ...(capture.activity && { activity: seen.activity }),
    };
  }

  /** A page that cannot be drawn any more (crashed, or in a dialog) has no picture; the answer stands without it. */
  #screenshot(tabId: string, asked: true | ScreenshotRequest): Promise<{ fileId: string } | undefined> {
    const request = asked === true ? defaultScreenshot : asked;
    return storeScreenshot(this.#parts.artifacts, this.#running, tabId, request).catch((error) => {
      this.#parts.log.warn({ err: error, browserId: this.#running.id }, 'script.screenshot_failed');
      return undefined;
    });
  }

  async #status(seen: Witness): Promise<Execution['status']> {
    const { tabs } = this.#running.live;
    const activeTab = tabs.active ?? null;
    const dialogs = tabs.openDialogs();
    const readiness =
      activeTab && dialogs === 0 ? await readinessOf(this.#running, activeTab.tabId) : 'unknown';
    const state =
      dialogs > 0 ? 'dialog' : seen.crashed ? 'crashed' : readiness === 'unknown' ? 'busy' : 'none';
    return { status: 'ready', readiness, activeTab, blocker: { state }, dialogs };
  }

  async #explain(failure: NonNullable<RunOutcome['error']>, seen: Witness): Promise<ScriptError> {
    const { tabs } = this.#running.live;
    if (/net::ERR_/.test(failure.message)) await this.#errorPageShown(seen);
    const selector = failure.playwright?.selector;
    const candidates = selector ? await nearestCandidates(this.#running, this.#tabId, selector) : undefined;
    const openDialog = tabs.openDialogs() > 0 ? 'A dialog of the page waits for an answer.' : undefined;
    const { refusals, unreachable, proxyFailure, corsLines, crashed } = seen;
    const around = { refusals, unreachable, proxyFailure, corsLines, crashed, openDialog, candidates };
    return explainFailure(failure, around, this.#request.timeoutMs);
  }

  /** Seen by us, and then by the runner: what it hears from the page comes in order, so one question is enough. */
  async #errorPageShown(seen: Witness): Promise<void> {
    await seen.errorPageShown();
    const code = "await page.evaluate('1').catch(() => 0)";
    await this.#desk.run({ code, timeoutMs: 1000, tabId: this.#tabId }, this.#signal);
  }

  /** A loop in a page goes on after its script was ended, and would hold up whoever attaches next. */
  async #freeThePages(): Promise<void> {
    const { tabs, chromium } = this.#running.live;
    await Promise.all(
      tabs.sessions().map(async (sessionId) => {
        const options = { sessionId, timeoutMs: 2000 };
        await chromium.cdp.send('Runtime.terminateExecution', undefined, options).catch(() => undefined);
      }),
    );
  }

  #note(type: EventType, data: Record<string, unknown>): void {
    const { id: browserId, projectId } = this.#running;
    this.#parts.events.note({ type, browserId, projectId, at: Date.now(), data });
  }
}

const wants = (includeOn: 'always' | 'success' | 'error' | 'change', ok: boolean): boolean =>
  includeOn === 'always' || includeOn === 'change' || (includeOn === 'success') === ok;
