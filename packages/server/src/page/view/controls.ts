/**
 * What Chromium would draw outside the page, drawn by the viewer instead: lists of selects, dates, times, colours,
 * suggestions, and the choice of a file. One at a time, as in Chromium.
 *
 *   a person presses ──> frames tell what is open ──> picker, to the viewer that the person uses
 *                        page <── chosen value, with its events <── pick
 *
 * All of this happens only while a person drives: from the first press of a viewer with control until control is handed
 * back or the last such viewer leaves. Other viewers see the page change.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../../browsers/browsers.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { ControlFacts } from '../inside/inside.ts';
import { controlsProgram } from '../reach/reach.ts';
import { ControlFrames, type World } from './control-frames.ts';
import { type Chooser, giveFiles, giveNone, openedChooser } from './file-picking.ts';
import { type Pick, type Picker, readFacts } from './picker.ts';
import { NoAnswerError, RefusedError, type RemoteEvent } from './remote.ts';
import type { Shown, ShownListener } from './screencast.ts';
import type { ToldMessage } from './told.ts';

/** A viewer whose person presses. */
export interface Driver {
  tell(message: ToldMessage): void;
}

export interface ControlsParts {
  running: Running;
  /** Hands a file of the browser to its Chromium; the path is as Chromium sees it. */
  lend(fileId: string): Promise<string>;
  /** Whether it is one of the viewers' sessions: theirs may be several in one tab, and none of them is a program's. */
  isViewers?(sessionId: string): boolean;
}

interface Open {
  picker: Picker;
  driver: Driver;
  sessionId: string;
  control?: { world: World; facts: ControlFacts };
  chooser?: Chooser;
}

const escapeKey = { type: 'rawKeyDown', key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 };
const arrows = { ArrowUp: 38, ArrowDown: 40 };
/** What is opened long after the person's last press was opened by a program. */
const pressedMs = 10_000;
const mostTries = 3;
const enterMs = 5000;

export class Controls implements ShownListener {
  readonly #parts: ControlsParts;
  #driver: Driver | undefined;
  #shown: Shown | undefined;
  #frames: ControlFrames | undefined;
  #open: Open | undefined;
  #pickers = 0;
  #pressedAt = 0;
  #entering: Promise<void> | undefined;

  constructor(parts: ControlsParts) {
    this.#parts = parts;
  }

  /**
   * The person of this viewer is about to do something in the page. Where that is a promise, it waits until what the person
   * opens is noticed; input overtakes the commands that see to that.
   */
  drivenBy(driver: Driver): Promise<void> | undefined {
    this.#driver = driver;
    this.#pressedAt = performance.now();
    this.#begin();
    return this.#entering;
  }

  /** Control was handed back, or this viewer has left. */
  release(driver = this.#driver): void {
    if (this.#open?.driver === driver) this.#close();
    if (!driver || this.#driver !== driver) return;
    this.#driver = undefined;
    this.#end();
  }

  leaves(): void {
    this.#end();
    this.#shown = undefined;
  }

  shows(shown: Shown): void {
    this.#shown = shown;
    if (this.#driver) this.#begin();
  }

  hears(event: RemoteEvent): void {
    this.#frames?.hear(event);
    if (event.method === 'Page.fileChooserOpened') void this.#fileWanted(event);
  }

  /** Whether this is one of the sessions in which controls are watched. */
  listensIn(sessionId: string): boolean {
    return this.#frames?.targetOf(sessionId) !== undefined;
  }

  async answer(pick: Pick): Promise<void> {
    const open = this.#open;
    if (!open || open.picker.id !== pick.pickerId)
      throw new RefusedError('What you have chosen from is not open any more. Open it again.');
    this.#close();
    if (open.chooser) await this.#answerChooser(open.chooser, pick.files);
    else if (open.control) await this.#answerControl(open.control, pick);
  }

  get #isPersons(): boolean {
    return this.#driver !== undefined && performance.now() - this.#pressedAt < pressedMs;
  }

  #begin(): void {
    const shown = this.#shown;
    if (this.#frames || !shown) return;
    this.#frames = new ControlFrames(shown, shown.targetId, {
      opened: (world, said) => void this.#opened(world, said).catch(() => undefined),
      gone: (sessionId) => this.#open?.sessionId === sessionId && this.#close(),
    });
    // A page in a loop or in a dialog answers nothing, and its person need not wait for it.
    const late = sleep(enterMs, undefined, { ref: false });
    const entering = Promise.race([this.#frames.ready, late]).then(() => {
      if (this.#entering === entering) this.#entering = undefined;
    });
    this.#entering = entering;
  }

  #end(): void {
    this.#close();
    this.#frames?.end();
    this.#frames = this.#entering = undefined;
  }

  async #opened(world: World, said: unknown): Promise<void> {
    const [facts, frames, shown] = [readFacts(said), this.#frames, this.#shown];
    if (!facts || !frames || !shown || !this.#isPersons) return;
    const { number, shown: isShown, ...about } = facts;
    // A long list takes Chromium long to close; the person need not wait for that.
    if (isShown) await this.#closeOwn(shown, world, number).catch(() => undefined);
    // No suggestion fits what is typed.
    if (about.kind === 'suggestions' && about.options?.length === 0) return this.#close();
    const objectId = await frames.objectOf(world, number);
    if (!objectId) return;
    const box = await frames.boxOf(world.sessionId, { objectId }).catch(() => undefined);
    this.#show({ ...about, ...(box && { box }) }, { sessionId: world.sessionId, control: { world, facts } });
  }

  /** What Chromium has opened takes all keys as long as it is there. The page does not hear of this one. */
  async #closeOwn(shown: Shown, world: World, number: number): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#press(shown, escapeKey);
      if (await this.#in(world, controlsProgram.call('shut', number))) return;
    }
  }

  async #fileWanted({ params, sessionId = '' }: RemoteEvent): Promise<void> {
    const [frames, shown, driver] = [this.#frames, this.#shown, this.#driver];
    const targetId = frames?.targetOf(sessionId);
    if (!frames || !shown || !targetId || !this.#isPersons) return;
    // A program waits for the same chooser, and answers it.
    const { running, isViewers } = this.#parts;
    const isOwn = (session: string): boolean => session === sessionId || isViewers?.(session) === true;
    if (running.live.chromium.cdp.choosers.isTaken(targetId, isOwn)) return;
    try {
      const { chooser, picker } = await openedChooser(shown, frames, sessionId, params as never);
      this.#show(picker, { sessionId, chooser });
    } catch (error) {
      if (error instanceof RefusedError && !(error instanceof NoAnswerError))
        driver?.tell({ type: 'refused', what: 'file', message: error.message });
    }
  }

  #show(about: Omit<Picker, 'id' | 'tabId'>, open: Omit<Open, 'picker' | 'driver'>): void {
    const driver = this.#driver;
    if (!driver || !this.#shown) return;
    // The viewer itself puts one in the place of another.
    if (this.#open?.driver !== driver) this.#close();
    const picker = { id: `picker_${++this.#pickers}`, tabId: this.#shown.tabId, ...about };
    this.#open = { ...open, picker, driver };
    driver.tell({ type: 'picker', picker });
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.driver.tell({ type: 'pickerClosed', pickerId: open.picker.id });
  }

  async #answerControl({ world, facts }: NonNullable<Open['control']>, pick: Pick): Promise<void> {
    const { number, kind, multiple } = facts;
    const { options, value } = pick;
    const [first] = options ?? [];
    if (kind === 'suggestions' && first !== undefined) return this.#writeSuggestion(world, number, first);
    if (kind === 'select' && options) {
      const done = multiple
        ? await this.#in(world, controlsProgram.call('choose', number, options))
        : first === undefined || (await this.#chooseOne(world, number, first));
      if (!done) throw new RefusedError('The page has changed its list, or does not let you choose this.');
    } else if (value !== undefined && !(await this.#in(world, controlsProgram.call('write', number, value))))
      throw new RefusedError(`The page did not take “${value.slice(0, 60)}” for this field.`);
  }

  async #chooseOne(world: World, number: number, index: number): Promise<boolean> {
    const key = await this.#in(world, controlsProgram.call('aim', number, index));
    if (key === 'done' || key === null) return key === 'done';
    if (this.#shown) {
      const stroke = { key, code: key, windowsVirtualKeyCode: arrows[key] };
      await this.#press(this.#shown, { type: 'rawKeyDown', ...stroke });
      await this.#press(this.#shown, { type: 'keyUp', ...stroke });
    }
    return this.#in(world, controlsProgram.call('chosen', number, index));
  }

  async #writeSuggestion(world: World, number: number, index: number): Promise<void> {
    const text = await this.#in(world, controlsProgram.call('suggestion', number, index));
    const ready = text !== undefined && (await this.#in(world, controlsProgram.call('selectText', number)));
    if (!ready) throw new RefusedError('The page has changed its suggestions. Type again.');
    await this.#shown?.remote.send('Input.insertText', { text }, this.#shown.sessionId);
  }

  async #answerChooser(chooser: Chooser, files: string[] | undefined): Promise<void> {
    const shown = this.#shown;
    if (!shown) throw new RefusedError('The page is gone.');
    if (!files) return giveNone(shown, chooser);
    const paths: string[] = [];
    for (const fileId of files) paths.push(await this.#parts.lend(fileId));
    await giveFiles(shown, chooser, paths);
  }

  async #in<T>(world: World, expression: Expression<T>): Promise<T> {
    try {
      if (this.#frames) return await this.#frames.evaluate(world, expression);
    } catch (error) {
      // A page in a dialog, or in a loop, does it when it can.
      if (error instanceof NoAnswerError) throw error;
    }
    throw new RefusedError('The page has changed meanwhile. Open the control again.');
  }

  #press({ remote, sessionId }: Shown, key: object): Promise<unknown> {
    return remote.send('Input.dispatchKeyEvent', { ...key }, sessionId);
  }
}
