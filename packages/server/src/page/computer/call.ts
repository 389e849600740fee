/**
 * One call to the screen: its actions in order, each followed by a wait until the page rests, until one fails.
 *
 *   find the tab ─> measure it ─> what lies at the place ─> do it ─> wait for rest ─> what was opened outside the page
 */
import { gatherTroubles, type Running, type Tab } from '../../browsers/browsers.ts';
import { ApiError, errorView } from '../../errors.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import type { Captures } from '../capture/capture.ts';
import { refAtPlace } from '../observe/observe.ts';
import {
  dialogOpen,
  endScript,
  lookInto,
  PageBusyError,
  pageCrashed,
  sessionOf,
  stirProgram,
  tabOf,
} from '../reach/reach.ts';
import { NoAnswerError, RefusedError } from '../view/view.ts';
import type { Action } from './actions-schema.ts';
import type { Desk } from './desk.ts';
import { type Found, hitAt } from './hits.ts';
import { perform, placeIn, placeOf, type Step } from './perform.ts';
import { giveFiles, openedPicker, pickerView } from './pickers.ts';
import { type PictureCall, pictureOf } from './pictures.ts';
import type { ComputerAnswer, Done, UseComputer } from './schema.ts';
import { inPicture, type Place, type Screen, screenOf, type View } from './screen.ts';
import { Stirring } from './stirring.ts';

export interface CallParts {
  captures: Pick<Captures, 'take'>;
  running: Running;
  desk: Desk;
  request: UseComputer;
  signal: AbortSignal;
}

/** They only look or wait, and a dialog does not hinder them. */
const pictures = ['screenshot', 'zoom'];
const looks = ['wait', 'cursor', ...pictures];
/** They end the page, and with it what stands in its way: a dialog, a script in a loop. */
const leaves = ['navigate', 'back', 'forward', 'reload'];
const needNoPage = [...looks, ...leaves, 'openTab'];
const measureMs = 5000;

export class ComputerCall {
  readonly #parts: CallParts;
  readonly #deadline = new AbortController();
  readonly #signal: AbortSignal;
  readonly #openedTabs = new Map<string, Tab>();
  readonly #dialogs = new Set<string>();
  readonly #done: Done[] = [];
  #tabId: string | undefined;
  #screen: Screen | undefined;
  /** The page did not answer when it was last looked at. */
  #isBusy = false;

  constructor(parts: CallParts) {
    this.#parts = parts;
    this.#signal = AbortSignal.any([parts.signal, this.#deadline.signal]);
  }

  /** What was asked for, and how far it has come: the action that fails is the one after those that are done. */
  get progress(): { actions: readonly Action[]; done: readonly Done[] } {
    const { actions } = this.#parts.request;
    return { actions: Array.isArray(actions) ? actions : [actions], done: this.#done };
  }

  async run(): Promise<ComputerAnswer> {
    const began = performance.now();
    const { running, request, desk } = this.#parts;
    // A tab that never was is an error of the request, not of an action.
    if (request.tabId !== undefined) await tabOf(running, request.tabId);
    const timer = setTimeout(() => this.#deadline.abort(tooLong(request)), request.timeoutMs);
    using troubles = gatherTroubles(running.live);
    const unwatch = running.live.watch({
      dialogOpened: ({ id }) => this.#dialogs.add(id),
      opened: (tab) => this.#openedTabs.set(tab.tabId, tab),
    });
    let failure: ApiError | undefined;
    try {
      for (const action of this.progress.actions) this.#done.push(await this.#step(action, troubles));
    } catch (error) {
      if (this.#parts.signal.aborted) throw error;
      failure = this.#explain(error);
    } finally {
      clearTimeout(timer);
      await desk.rest();
      unwatch();
    }
    const answer = await this.#answer(failure);
    return { ...answer, durationMs: Math.round(performance.now() - began) };
  }

  async #step(action: Action, troubles: Step['troubles']): Promise<Done> {
    const began = performance.now();
    this.#signal.throwIfAborted();
    const { running, desk, request } = this.#parts;
    const { tabs } = running.live;
    const tabId = await this.#tab(action);
    this.#tabId = tabId;
    if (tabs.active?.tabId !== tabId) await tabs.activate(tabId);
    const shown = await desk.at(tabId);
    this.#screen = await this.#measure(tabId);
    // A page of the same site would be shown by the process that is in the loop.
    if (this.#isBusy && leaves.includes(action.type)) await endScript(sessionOf(running, tabId));
    if (this.#isBusy && !needNoPage.includes(action.type)) throw new PageBusyError();
    const step: Step = {
      ...{ running, desk, shown, troubles, screen: this.#screen },
      ...{ pictures: this.#pictures, signal: this.#signal },
    };
    if (looks.includes(action.type)) {
      const seen = await orAborted(perform(action, step), this.#signal);
      return { type: action.type, tabId, ...seen, durationMs: Math.round(performance.now() - began) };
    }
    using stirring = new Stirring(running, tabId);
    await stirring.begin();
    const { hit, opens = false } = (await this.#hit(action, step)) ?? {};
    await desk.watchControls();
    try {
      const outcome = await orAborted(stirring.unlessHeld(perform(action, step)), this.#signal);
      await stirring.over(request.restMs, this.#signal);
      const picker = outcome?.picker ?? (await this.#outside(stirring, opens && action.type === 'click'));
      if (outcome?.tabId) this.#tabId = outcome.tabId;
      return {
        ...{ type: action.type, tabId },
        ...(hit && { hit }),
        changed: stirring.changed,
        ...(stirring.navigatedTo !== undefined && { navigatedTo: stirring.navigatedTo }),
        ...outcome,
        ...(picker && { picker }),
        durationMs: Math.round(performance.now() - began),
      };
    } catch (error) {
      // Chromium shows its page about an address that it cannot reach a little later, and that would cut off the next one.
      if (leaves.includes(action.type)) await stirring.over(1000, this.#signal).catch(() => undefined);
      throw error;
    }
  }

  /** What the action has opened outside the page; files are given at once. */
  async #outside(stirring: Stirring, expected: boolean): Promise<Done['picker']> {
    const { desk, request } = this.#parts;
    if (stirring.isHeld) return undefined;
    const picker = await openedPicker(desk, expected, this.#signal);
    if (!picker) return undefined;
    if (picker.kind === 'file') {
      await giveFiles(desk, picker, request.files);
      await stirring.over(request.restMs, this.#signal);
    }
    return pickerView(picker);
  }

  /** The tab of the call, or the one in front now. */
  async #tab({ type }: Action): Promise<string> {
    const { running, request } = this.#parts;
    const opened = this.#done.findLast((done) => done.type === 'openTab')?.tabId;
    const tabId = await tabOf(running, request.tabId && (opened ?? request.tabId));
    const { tabs, dialogs } = running.live;
    const [dialog] = dialogs.waiting(tabId);
    if (dialog && !needNoPage.includes(type)) throw dialogOpen();
    if (tabs.hasCrashed(tabId) && (!needNoPage.includes(type) || pictures.includes(type)))
      throw pageCrashed({ crashReason: () => tabs.crashReason(tabId) });
    return tabId;
  }

  /** As the page is now: it may have been resized since the last action. */
  async #measure(tabId: string): Promise<Screen | undefined> {
    const { running, desk, request } = this.#parts;
    const { dialogs, tabs } = running.live;
    this.#isBusy = false;
    if (dialogs.waiting(tabId).length === 0 && !tabs.hasCrashed(tabId)) {
      const page = sessionOf(running, tabId);
      const said = await lookInto(page, stirProgram.call('view'), measureMs).catch((error: unknown) => {
        this.#isBusy = error instanceof PageBusyError;
      });
      if (said && isView(said)) desk.views.set(tabId, said);
    }
    const view = desk.views.get(tabId);
    return view && screenOf(view, request.scale);
  }

  async #hit(action: Action, step: Step): Promise<Found | undefined> {
    const place = aimOf(action, step);
    const found = place && (await hitAt(step.shown, place));
    if (!found || !place || !this.#parts.request.refs) return found;
    // A page that cannot be asked now has been hit all the same.
    const ref = await refAtPlace(this.#parts.running, step.shown.tabId, place).catch(() => undefined);
    return ref ? { ...found, hit: { ...found.hit, ref } } : found;
  }

  get #pictures(): PictureCall {
    const { captures, running, request } = this.#parts;
    return { captures, running, asked: request.screenshot, signal: this.#signal };
  }

  async #answer(failure: ApiError | undefined): Promise<Omit<ComputerAnswer, 'durationMs'>> {
    const { running, desk, request } = this.#parts;
    const { tabs, dialogs } = running.live;
    const tabId = request.tabId === undefined ? tabs.active?.tabId : this.#tabId;
    const isKnown = tabId === this.#tabId && this.#isBusy;
    const screen = isKnown ? this.#screen : tabId === undefined ? undefined : await this.#measure(tabId);
    const picture =
      request.screenshot !== false && tabId !== undefined
        ? await pictureOf(this.#pictures, tabId, screen).catch(() => undefined)
        : undefined;
    await tabs.refresh();
    const all = tabs.list();
    const cursor = screen ? inPicture(screen, desk.cursor) : desk.cursor;
    return {
      success: failure === undefined,
      ...(failure && { failedIndex: this.#done.length, error: errorView(failure) }),
      actions: this.#done,
      page: all.find((tab) => tab.tabId === tabId) ?? null,
      changed: this.#done.some(({ changed }) => changed),
      openedTabs: all.filter((tab) => this.#openedTabs.has(tab.tabId)),
      dialogs: dialogs.list().filter(({ id, state }) => state === 'open' || this.#dialogs.has(id)),
      cursor,
      screen: screen ? { width: screen.width, height: screen.height } : null,
      ...(picture && { picture }),
    };
  }

  #explain(error: unknown): ApiError {
    if (error instanceof ApiError) return error;
    if (error instanceof NoAnswerError)
      return new ApiError(
        'BROWSER_UNRESPONSIVE',
        'The page is too busy to take input. Try again later, or navigate away.',
      );
    if (error instanceof RefusedError) return new ApiError('ELEMENT_NOT_ACTIONABLE', error.message);
    const { reason } = this.#signal;
    if (this.#signal.aborted && reason instanceof ApiError) return reason;
    throw error;
  }
}

const tooLong = ({ timeoutMs }: UseComputer): ApiError =>
  new ApiError(
    'SCRIPT_TIMEOUT',
    `The actions did not end within ${timeoutMs} ms. Raise \`timeoutMs\` (at most 120000) or send fewer at a time.`,
  );

const isView = (said: View): boolean =>
  [said.width, said.height, said.left, said.top].every(Number.isFinite) && said.width > 0 && said.height > 0;

/** Where the action lands first; undefined: nowhere in particular. */
function aimOf(action: Action, step: Step): Place | undefined {
  switch (action.type) {
    case 'click':
    case 'down':
    case 'up':
    case 'move':
    case 'select':
    case 'scroll':
      return placeOf(action, step);
    case 'type':
      return action.x === undefined ? undefined : placeOf(action, step);
    case 'drag':
      if (action.path.length === 1) return step.desk.cursor;
      return action.path[0] && placeIn(step, action.path[0], action.unit);
    default:
      return undefined;
  }
}
