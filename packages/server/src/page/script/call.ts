/** One call from the start of the code to the answer: what is run, what is seen meanwhile, how a failure is explained. */
import type { Artifacts } from '../../artifacts/artifacts.ts';
import type { BrowsersOnNode, RecordingCuts, Running } from '../../browsers/browsers.ts';
import type { CapturedNetwork, CaptureNetwork } from '../../browsers/network/schema.ts';
import type { Dialog } from '../../browsers/record/dialog-schema.ts';
import { ApiError } from '../../errors.ts';
import type { Events, EventType } from '../../events/events.ts';
import { iso } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { LogEntry, RunnerHost, RunOutcome } from '../../runner/runner.ts';
import type { Masks } from '../../secrets/secrets.ts';
import type { Captchas } from '../captcha/captcha.ts';
import type { Captures } from '../capture/capture.ts';
import { defaultPicture, type Picture } from '../capture/schema.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Observations } from '../observe/observe.ts';
import { nearestCandidates, readinessOf, sessionOf } from '../reach/reach.ts';
import type { SecretTyping } from '../secret/secret.ts';
import { type CallActivity, watchCall } from './activity.ts';
import { CallEvidence, filesOf } from './call-evidence.ts';
import { observeAfter } from './observe-after.ts';
import type { RunnerSession } from './runner-session.ts';
import type { ExecuteScript, Execution, ScriptError } from './schema.ts';
import { explainFailure } from './script-error.ts';

export interface ScriptsParts {
  browsers: Pick<BrowsersOnNode, 'use'>;
  runners: RunnerHost;
  artifacts: Artifacts;
  captures: Captures;
  observations: Pick<Observations, 'see' | 'whole'>;
  evidence: Evidence;
  cuts: Pick<RecordingCuts, 'start' | 'take'>;
  captchas: Pick<Captchas, 'stateOf'>;
  masks: Pick<Masks, 'deep' | 'made' | 'isIn'>;
  secretTyping: Pick<SecretTyping, 'type'>;
  events: Events;
  log: Log;
  /** Code is run only where it can be walled in as its owners require; throws otherwise. */
  checkIsolation(): Promise<void>;
  /** A call was answered, without a code or with the one of its error. */
  onExecuted?(code: string | undefined, ms: number): void;
}

export type OnLog = (entry: LogEntry) => void;

export class Call {
  readonly #parts: ScriptsParts;
  readonly #session: RunnerSession;
  readonly #running: Running;
  readonly #request: ExecuteScript;
  readonly #tabId: string;
  readonly #signal: AbortSignal;
  readonly #beganAt = iso(Date.now());
  readonly #networkBefore: { seq: number; dropped: number };
  #blockedBy: Dialog | undefined;

  constructor(
    parts: ScriptsParts,
    session: RunnerSession,
    request: ExecuteScript,
    tabId: string,
    signal: AbortSignal,
  ) {
    this.#parts = parts;
    this.#session = session;
    this.#running = session.running;
    this.#request = request;
    this.#tabId = tabId;
    this.#signal = signal;
    const { lastSeq: seq, dropped } = this.#running.live.network;
    this.#networkBefore = { seq, dropped };
  }

  async execute(onLog?: OnLog): Promise<Execution> {
    const began = performance.now();
    this.#note('script.started', { tabId: this.#tabId });
    const { code, args, timeoutMs } = this.#request;
    const seen = watchCall(this.#running);
    await using evidence = await CallEvidence.open(this.#parts, this.#session, this.#request);
    let logs: readonly LogEntry[] = [];
    try {
      using dialogs = this.#watchDialogs();
      const signal = AbortSignal.any([this.#signal, dialogs.opened]);
      const outcome =
        this.#blocked() ??
        (await this.#session.run(
          { code, args, timeoutMs, tabId: this.#tabId, onLog, trace: evidence.recording },
          signal,
        ));
      logs = outcome.logs;
      if (dialogs.opened.aborted && outcome.error) outcome.error = endedFor;
      this.#running.left.throwIfAborted();
      if (outcome.error?.code === 'SCRIPT_TIMEOUT') await this.#freeThePages();
      const front = outcome.lastTargetId && this.#running.live.tabs.tabOf(outcome.lastTargetId);
      if (front) await this.#running.live.tabs.activate(front);
      const answer = await this.#answer(outcome, seen);
      const { durationMs } = outcome;
      const kept = await evidence.keep({ ...answer, activity: seen.activity, durationMs });
      const type = answer.success ? 'script.completed' : 'script.failed';
      this.#note(type, { tabId: this.#tabId, durationMs, code: answer.error?.code, ...filesOf(kept) });
      return { ...answer, ...kept, durationMs: Math.round(performance.now() - began) };
    } catch (error) {
      // The browser was closed or stopped, or the caller has hung up: what began has ended.
      const code = error instanceof ApiError ? error.code : 'SCRIPT_ABORTED';
      const durationMs = Math.round(performance.now() - began);
      const { activity } = seen;
      const end = { success: false, error: { code, message: String(error) }, page: null, logs, activity };
      const kept = await evidence.keep({ ...end, durationMs });
      this.#note('script.failed', { tabId: this.#tabId, durationMs, code, ...filesOf(kept) });
      throw error;
    } finally {
      seen.stop();
    }
  }

  /** A page with a dialog runs no code, and no runner can attach to it anew. */
  #blocked(): RunOutcome | undefined {
    const { dialogs } = this.#running.live;
    [this.#blockedBy] = dialogs.waiting(this.#session.attached ? this.#tabId : undefined);
    if (!this.#blockedBy) return undefined;
    const message = 'The script was not started';
    return { ok: false, error: { name: 'Error', message, stack: '' }, logs: [], durationMs: 0 };
  }

  /** Fires when a dialog waits for the caller, and this caller would rather answer it than wait for its code. */
  #watchDialogs(): { opened: AbortSignal } & Disposable {
    const opened = new AbortController();
    const { live } = this.#running;
    const before = new Set(live.tabs.list().map(({ tabId }) => tabId));
    before.delete(this.#tabId);
    const look = (dialog: Dialog): void => {
      if (before.has(dialog.tabId) || !live.dialogs.needsCaller(dialog.id)) return;
      this.#blockedBy ??= dialog;
      opened.abort();
    };
    // Where the mode of the browser or a navigation answers it, that has been decided by then.
    const dialogOpened = (dialog: Dialog): void => queueMicrotask(() => look(dialog));
    const off = this.#request.returnOnDialog ? live.watch({ dialogOpened }) : () => undefined;
    return { opened: opened.signal, [Symbol.dispose]: off };
  }

  /** The dialog that kept the script from going on, if one did. */
  async #dialogInTheWay({ name, code }: NonNullable<RunOutcome['error']>): Promise<Dialog | undefined> {
    if (this.#blockedBy) return this.#blockedBy;
    if (name !== 'TimeoutError' && code !== 'SCRIPT_TIMEOUT' && code !== 'TAB_NOT_FOUND') return undefined;
    const open = this.#running.live.dialogs.waiting();
    const own = open.find(({ tabId, openedAt }) => tabId === this.#tabId || openedAt >= this.#beganAt);
    if (own || open.length === 0) return own;
    // Pages of one process stand still together.
    return (await readinessOf(this.#running, this.#tabId)) === 'unknown' ? open[0] : undefined;
  }

  async #answer(outcome: RunOutcome, seen: CallActivity): Promise<Omit<Execution, 'durationMs'>> {
    const { tabs, dialogs } = this.#running.live;
    // First: a page that could not be reached is followed by Chromium's page about it, which is what the tab shows then.
    const error = outcome.error && (await this.#explain(outcome.error, seen));
    await tabs.refresh();
    const page = tabs.active ?? null;
    const drawable = page && dialogs.waiting(page.tabId).length === 0;
    const capture = this.#request.capture || {};
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
          observation: await observeAfter(
            this.#parts.observations,
            this.#running,
            { keyId: this.#session.keyId, tabId: page.tabId },
            capture.observation,
          ),
        }),
      ...(capture.screenshot &&
        drawable && { screenshot: await this.#screenshot(page.tabId, capture.screenshot) }),
      ...(capture.activity && { activity: seen.activity }),
      ...(capture.network && { network: await this.#network(capture.network) }),
    };
  }

  #network(asked: true | Exclude<CaptureNetwork, boolean>): Promise<CapturedNetwork> {
    const { network } = this.#running.live;
    return network.captured(this.#networkBefore, asked === true ? allOfCall : asked);
  }

  /** A page that cannot be drawn any more (crashed, or in a dialog) has no picture; the answer stands without it. */
  async #screenshot(tabId: string, asked: true | Picture): Promise<{ fileId: string } | undefined> {
    const picture = asked === true ? defaultPicture : asked;
    try {
      const { id } = await this.#parts.captures.store(this.#running, tabId, picture, this.#signal);
      return { fileId: id };
    } catch (error) {
      this.#parts.log.warn({ err: error, browserId: this.#running.id }, 'script.screenshot_failed');
      return undefined;
    }
  }

  async #status(seen: CallActivity): Promise<Execution['status']> {
    const { tabs, dialogs: all } = this.#running.live;
    const activeTab = tabs.active ?? null;
    const dialogs = all.waiting().length;
    const readiness =
      activeTab && dialogs === 0 ? await readinessOf(this.#running, activeTab.tabId) : 'unknown';
    const state =
      dialogs > 0 ? 'dialog' : seen.crashed ? 'crashed' : readiness === 'unknown' ? 'busy' : 'none';
    const captcha =
      activeTab && readiness !== 'unknown' && this.#parts.captchas.stateOf(this.#running, activeTab.tabId);
    return {
      status: 'ready',
      readiness,
      activeTab,
      blocker: { state },
      captcha: { state: (await captcha) || 'none' },
      dialogs,
    };
  }

  async #explain(failure: NonNullable<RunOutcome['error']>, seen: CallActivity): Promise<ScriptError> {
    if (/net::ERR_/.test(failure.message)) await this.#errorPageShown(seen);
    const selector = failure.playwright?.selector;
    const openDialog = await this.#dialogInTheWay(failure);
    const page = sessionOf(this.#running, this.#tabId);
    const candidates = selector && !openDialog ? await nearestCandidates(page, selector) : undefined;
    const { refusals, unreachable, proxyFailure, fileRefusal, corsLines, crashed, crashReason } = seen;
    const policy = { refusals, unreachable, proxyFailure, fileRefusal };
    const { secretRefusal } = this.#session;
    const around = { ...policy, secretRefusal, corsLines, crashed, crashReason, openDialog, candidates };
    return explainFailure(failure, around, this.#request.timeoutMs);
  }

  /** Seen by us, and then by the runner: what it hears from the page comes in order, so one question is enough. */
  async #errorPageShown(seen: CallActivity): Promise<void> {
    await seen.errorPageShown();
    const code = "await page.evaluate('1').catch(() => 0)";
    await this.#session.run({ code, timeoutMs: 1000, tabId: this.#tabId }, this.#signal);
  }

  /** A loop in a page goes on after its script was ended, and would hold up the next runner that attaches. */
  async #freeThePages(): Promise<void> {
    const { tabs, dialogs, chromium } = this.#running.live;
    const free = tabs.sessions().filter((sessionId) => !dialogs.holds(sessionId));
    await Promise.all(
      free.map(async (sessionId) => {
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

const allOfCall = { failedOnly: false, max: 100 };

/** The dialog is named where the failure is explained. */
const endedFor = { name: 'Error', message: 'The script was ended', stack: '' };

const wants = (includeOn: 'always' | 'success' | 'error' | 'change', ok: boolean): boolean =>
  includeOn === 'always' || includeOn === 'change' || (includeOn === 'success') === ok;
