/**
 * The dialogs of one Chromium. Each is answered once; the first answer counts:
 *
 *   opened ──┬── a listener gets it (a script, a CDP client) ──> it answers      by: script
 *            ├── mode dismiss, accept ──> answered at once                       by: mode
 *            ├── mode manual, or a person drives ──> waits for a call            by: caller
 *            └── forgotten ──> dismissed                                         by: timeout
 *
 * A page with an open dialog stands still, and with it every page of its process. Worse: Chromium loses a tab for good
 * when it leaves its page under an open dialog. So a dialog gives way to a navigation before that has begun.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from 'devtools-protocol';
import { type Cdp, CdpError } from '../../chromium/chromium.ts';
import { ApiError } from '../../errors.ts';
import { iso } from '../../kit/clock.ts';
import { FloodWindow } from '../../kit/flood-window.ts';
import { newId } from '../../kit/id.ts';
import type { AnswerDialog, Dialog } from '../record/dialog-schema.ts';
import { invalid } from '../record/record.ts';
import type { Watchers } from './watchers.ts';

export type DialogMode = 'dismiss' | 'accept' | 'manual';
/** Whether a listener gets the dialogs of this target, and so answers them. */
export type Hears = (targetId: string) => boolean;
type ClosedBy = NonNullable<Dialog['closedBy']>;

interface Open {
  readonly sessionId: string;
  readonly timer: NodeJS.Timeout;
  record: Dialog;
  /** Its answer is on the way. */
  answering?: ClosedBy;
  /** How it ended, by our answer or another. */
  ended?: { accepted: boolean; promptText: string };
}

const keptChars = 2000;
const keptClosed = 50;
/** When more than this many wait at the same time, no caller will answer them one by one. */
const mostOpen = 100;
/** A page that asks in a loop is answered slowly from here on, so that it keeps only itself busy. */
const manyDialogs = 50;
const manyWindowMs = 10_000;
const slowAnswerMs = 250;

export interface DialogsParts {
  watchers: Watchers;
  timeoutMs: number;
  /** The id of the tab in the API. */
  tabOf(targetId: string): string | undefined;
}

export class Dialogs {
  readonly #cdp: Cdp;
  readonly #parts: DialogsParts;
  /** By session: a page has at most one at a time. */
  readonly #open = new Map<string, Open>();
  /** Newest last. */
  #closed: Dialog[] = [];
  readonly #targets = new Map<string, string>();
  readonly #departing = new Set<string>();
  readonly #idle = new Set<() => void>();
  #mode: DialogMode = 'dismiss';
  readonly #listeners = new Set<Hears>();
  #persons = 0;
  #ended = false;
  readonly #recent = new FloodWindow(manyDialogs, manyWindowMs);
  #lastOpenedAt = 0;

  constructor(cdp: Cdp, parts: DialogsParts) {
    this.#cdp = cdp;
    this.#parts = parts;
    cdp.onEnd(() => this.end());
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (targetInfo.type === 'page') this.#targets.set(sessionId, targetInfo.targetId);
    });
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => {
      this.#gone(sessionId);
      this.#targets.delete(sessionId);
      this.#departing.delete(sessionId);
    });
    cdp.on('Page.javascriptDialogOpening', (opening, sessionId = '') => this.#opened(opening, sessionId));
    cdp.on('Page.javascriptDialogClosed', ({ result, userInput }, sessionId = '') => {
      const open = this.#open.get(sessionId);
      if (!open) return;
      open.ended = { accepted: result, promptText: userInput };
      // Chromium's reply to our answer decides whether it was ours that ended it.
      if (!open.answering) this.#settle(open, this.#otherThanUs(open));
    });
    this.#watchDepartures();
  }

  /** Newest first; those that are open, and the last that were. */
  list(): Dialog[] {
    const all = [...this.#closed, ...[...this.#open.values()].map(({ record }) => record)];
    return all.sort((a, b) => (a.openedAt < b.openedAt ? 1 : -1));
  }

  /** Those without an answer yet, of one tab or of all. */
  waiting(tabId?: string): Dialog[] {
    return [...this.#open.values()]
      .filter(({ answering, record }) => !answering && (tabId === undefined || record.tabId === tabId))
      .map(({ record }) => record);
  }

  /** Whether it waits for an answer over the API, and no script or CDP client is there to give one. */
  needsCaller(id: string): boolean {
    const open = [...this.#open.values()].find(({ record }) => record.id === id);
    return this.#mode === 'manual' && open !== undefined && !open.answering && !this.#isHeard(open.sessionId);
  }

  /** Whether the page of this session stands still. */
  holds(sessionId: string): boolean {
    return this.#open.has(sessionId);
  }

  setMode(mode: DialogMode): void {
    this.#mode = mode;
    this.#applyMode();
  }

  /** A listener answers the dialogs it gets from now on; what it leaves open when it stops is answered by the mode. */
  listen(hears: Hears): () => void {
    const listener: Hears = (targetId) => hears(targetId);
    this.#listeners.add(listener);
    return this.#until(() => this.#listeners.delete(listener));
  }

  /** A person drives the browser and answers; what is open when that ends is answered by the mode. */
  waitForPerson(): () => void {
    this.#persons++;
    return this.#until(() => this.#persons--);
  }

  #until(end: () => void): () => void {
    let over = false;
    return () => {
      if (over) return;
      over = true;
      end();
      this.#applyMode();
    };
  }

  async answer(id: string, { action, promptText }: AnswerDialog): Promise<Dialog> {
    const open = [...this.#open.values()].find(({ record }) => record.id === id);
    if (!open) throw this.#closed.some((dialog) => dialog.id === id) ? answered(id) : unknown(id);
    if (open.answering) throw answered(id);
    if (promptText !== undefined && open.record.type !== 'prompt')
      throw invalid(['promptText'], `is for prompts; this is a dialog of type ${open.record.type}`);
    await this.#answer(open, action === 'accept', 'caller', promptText);
    if (open.record.closedBy !== 'caller') throw answered(id);
    return open.record;
  }

  /** This tab is about to leave its page: what is open there is dismissed first. */
  makeWay(targetId: string): void {
    for (const open of this.#open.values())
      if (this.#targets.get(open.sessionId) === targetId && open.record.type !== 'beforeunload')
        void this.#answer(open, false, 'navigation');
  }

  /** Resolves when no dialog waits. */
  async settled(): Promise<void> {
    if (this.waiting().length > 0) await new Promise<void>((resolve) => this.#idle.add(resolve));
  }

  /** What was there before this Chromium. */
  remember(saved: readonly Dialog[]): void {
    const closed = { state: 'dismissed', closedAt: iso(Date.now()), closedBy: 'browser' } as const;
    const before = saved.map((dialog) => (dialog.state === 'open' ? { ...dialog, ...closed } : dialog));
    this.#closed = [...before.reverse(), ...this.#closed].slice(-keptClosed);
  }

  /** The browser ends: no dialog waits any more, and no watcher is notified again. */
  end(): void {
    if (this.#ended) return;
    for (const open of [...this.#open.values()]) {
      void this.#send(open, false).catch(() => undefined);
      this.#settle(open, 'browser');
    }
    this.#ended = true;
    this.#mode = 'dismiss';
  }

  #opened(opening: Protocol.Page.JavascriptDialogOpeningEvent, sessionId: string): void {
    this.#gone(sessionId);
    const targetId = this.#targets.get(sessionId) ?? '';
    // No two at the same time: it is their place in the list.
    this.#lastOpenedAt = Math.max(Date.now(), this.#lastOpenedAt + 1);
    const record: Dialog = {
      id: newId('dialog'),
      type: opening.type,
      message: opening.message.slice(0, keptChars),
      defaultValue: (opening.defaultPrompt ?? '').slice(0, keptChars),
      tabId: this.#parts.tabOf(targetId) ?? targetId,
      url: opening.url.slice(0, keptChars),
      openedAt: iso(this.#lastOpenedAt),
      state: 'open',
    };
    const late = (): void => void this.#answer(open, record.type === 'beforeunload', 'timeout');
    const open: Open = { sessionId, record, timer: setTimeout(late, this.#parts.timeoutMs).unref() };
    this.#open.set(sessionId, open);
    if (!this.#ended) this.#parts.watchers.notify('dialogOpened', record);
    this.#parts.watchers.notify('touched');
    this.#applyMode();
    // The page is leaving: no answer would be in time.
    if (this.#departing.has(sessionId) && !this.#isHeard(sessionId)) this.makeWay(targetId);
  }

  /** Leaving a page is never held up by its own question. */
  #applyMode(): void {
    for (const open of this.#open.values()) {
      const waits = this.#mode === 'manual' || this.#persons > 0 || this.#isHeard(open.sessionId);
      if (waits && this.#open.size <= mostOpen) continue;
      void this.#answer(open, this.#mode === 'accept' || open.record.type === 'beforeunload', 'mode');
    }
  }

  /** By one of the listeners: Chromium tells only the sessions of that very page. */
  #isHeard(sessionId: string): boolean {
    const targetId = this.#targets.get(sessionId);
    return targetId !== undefined && [...this.#listeners].some((hears) => hears(targetId));
  }

  async #answer(open: Open, accept: boolean, by: ClosedBy, promptText?: string): Promise<void> {
    if (open.answering) return;
    open.answering = by;
    if (by === 'mode' && !this.#recent.admits()) await sleep(slowAnswerMs, undefined, { ref: false });
    if (open.record.state !== 'open') return;
    try {
      if (!open.ended) await this.#send(open, accept, promptText);
      open.ended ??= { accepted: accept, promptText: promptText ?? '' };
      this.#settle(open, by);
    } catch (error) {
      // Another answer was first, or the page has gone.
      this.#settle(open, this.#otherThanUs(open));
      if (error instanceof CdpError && /not attached/i.test(error.reason)) await this.#giveUp(open.sessionId);
    }
  }

  #send({ sessionId, record }: Open, accept: boolean, promptText?: string): Promise<unknown> {
    const text = record.type === 'prompt' && accept ? (promptText ?? record.defaultValue) : undefined;
    return this.#cdp.send('Page.handleJavaScriptDialog', { accept, promptText: text }, { sessionId });
  }

  #otherThanUs({ sessionId }: Open): ClosedBy {
    return this.#isHeard(sessionId) ? 'script' : 'navigation';
  }

  #settle(open: Open, by: ClosedBy): void {
    if (open.record.state !== 'open') return;
    const { accepted, promptText } = open.ended ?? { accepted: false, promptText: '' };
    clearTimeout(open.timer);
    if (this.#open.get(open.sessionId) === open) this.#open.delete(open.sessionId);
    open.record = {
      ...open.record,
      state: accepted ? 'accepted' : 'dismissed',
      closedAt: iso(Date.now()),
      closedBy: by,
      ...(accepted && open.record.type === 'prompt' && { promptText: promptText.slice(0, keptChars) }),
    };
    this.#closed = [...this.#closed, open.record].slice(-keptClosed);
    if (!this.#ended) this.#parts.watchers.notify('dialogClosed', open.record);
    this.#parts.watchers.notify('touched');
    if (this.waiting().length > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  #gone(sessionId: string): void {
    const open = this.#open.get(sessionId);
    if (open) this.#settle(open, open.answering ?? 'navigation');
  }

  /** The tab left its page under the dialog, and nothing brings it back. */
  async #giveUp(sessionId: string): Promise<void> {
    const targetId = this.#targets.get(sessionId);
    if (targetId) await this.#cdp.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }

  #watchDepartures(): void {
    const cdp = this.#cdp;
    const isTab = (frameId: string, sessionId: string): boolean => this.#targets.get(sessionId) === frameId;
    cdp.on('Page.frameStartedNavigating', ({ frameId, navigationType }, sessionId = '') => {
      if (!isTab(frameId, sessionId) || /sameDocument/i.test(navigationType)) return;
      this.#departing.add(sessionId);
      this.makeWay(frameId);
    });
    cdp.on('Page.frameNavigated', ({ frame }, sessionId = '') => {
      if (!isTab(frame.id, sessionId)) return;
      this.#departing.delete(sessionId);
      this.#gone(sessionId);
    });
    cdp.on('Page.frameStoppedLoading', ({ frameId }, sessionId = '') => {
      if (isTab(frameId, sessionId)) this.#departing.delete(sessionId);
    });
  }
}

const unknown = (id: string): ApiError =>
  new ApiError('DIALOG_NOT_FOUND', `There is no dialog ${id} in this browser. List them: GET …/dialogs.`);

const answered = (id: string): ApiError =>
  new ApiError('DIALOG_CLOSED', `Dialog ${id} is closed: somebody else answered it, or its page has gone.`);
