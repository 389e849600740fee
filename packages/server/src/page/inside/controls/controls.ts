/**
 * Learns which control a person has opened. Chromium draws the lists of selects and the dialogs of date and colour fields in
 * windows of their own, which are in no picture of the page; what is open is seen by `:open` after each press:
 *
 *   a person's mouse or key ──> Chromium opens something ──> next() tells what
 *
 * It runs in a world of its own, in each frame. Nothing that a person does is kept from the page; only the lists that are
 * opened here are prevented from being opened by Chromium.
 */
import type { Aim, ControlFacts, ControlKind, FileFacts, HiddenTarget } from '../inside.ts';
import { aimAt, choosing, expectEscape, hush, isChosen, writing } from './choice.ts';
import {
  factsOf,
  fileFacts,
  isInput,
  isListBox,
  isSelect,
  isUsable,
  kindOf,
  suggestionAt,
  suggestionsFor,
} from './facts.ts';

type Control = HTMLSelectElement | HTMLInputElement;

/** Undefined: nothing is listened to. */
let listening: AbortController | undefined;
let lastNumber = 0;
/** The newest one alone: Chromium too has one open at a time. */
let current: { number: number; control: Element; kind?: ControlKind; gesture: number } | undefined;
let told: ControlFacts | HiddenTarget | undefined;
let waiting: ((told: ControlFacts | HiddenTarget | null) => void) | undefined;
/** A press and all that comes of it, such as the click. */
let gesture = 0;

/** A page may open a field a little after the click that it was asked with. */
const laterMs = 150;
/** Options. */
const longList = 300;
const lookAgainMs = 10;
const mostLooks = 20;
/** Keys that open something, or press what opens it. */
const openers = [' ', 'Enter', 'F4', 'ArrowDown', 'ArrowUp'];
/** Chromium knows it since 134; before that the lists of selects are seen by what opens them. */
const knowsOpen = CSS.supports('selector(:open)');
const openOnes = knowsOpen ? 'select:open, input:open' : ':not(*)';

const isOpen = (element: Element): boolean => knowsOpen && element.matches(':open');

/** An option of a list is part of its select. */
const targetOf = ([target]: EventTarget[]): EventTarget | undefined =>
  (target instanceof HTMLOptionElement && target.closest('select')) || target;

function tell(what: ControlFacts | HiddenTarget): void {
  if (waiting) waiting(what);
  else told = what;
  waiting = undefined;
}

function offer(control: Control, kind: ControlKind, shown: boolean, of: number): void {
  if (current?.control === control && current.gesture === of && kind !== 'suggestions') return;
  current = { number: ++lastNumber, control, kind, gesture: of };
  if (shown) expectEscape();
  tell({ ...factsOf(control, kind), number: lastNumber, shown });
}

/** In a closed shadow tree: only Chromium itself can tell what is there. */
function offerHidden(event: Event, target: EventTarget | undefined, of: number): void {
  const isHost = target instanceof HTMLElement && target.localName.includes('-') && !target.shadowRoot;
  if (!isHost || event.type !== 'mousedown' || !(event instanceof MouseEvent)) return;
  const { left, top } = target.getBoundingClientRect();
  current = { number: ++lastNumber, control: target, gesture: of };
  tell({ host: lastNumber, dx: event.clientX - left, dy: event.clientY - top });
}

const isPress = (event: Event): boolean =>
  event instanceof MouseEvent && event.type === 'mousedown' && event.button === 0;

const isOpeningKey = (event: Event): boolean =>
  event instanceof KeyboardEvent &&
  event.type === 'keydown' &&
  (event.altKey ? event.key.startsWith('Arrow') : [' ', 'F4'].includes(event.key));

/**
 * A list that is opened here, without Chromium: of one that is drawn in the page, but with a single row, or by the key for it;
 * and a long one, which keeps the page busy for seconds while Chromium builds what is never seen.
 */
function opensHere(event: Event, select: HTMLSelectElement): boolean {
  if (event.defaultPrevented || !isUsable(select) || !kindOf(select)) return false;
  if (!isListBox(select)) return select.options.length > longList && (isPress(event) || isOpeningKey(event));
  const isRow = select.multiple && select.size === 1;
  return isPress(event) ? isRow : isOpeningKey(event) && (event as KeyboardEvent).altKey;
}

/** What this event opens that `:open` does not tell. */
function opensUnseen(event: Event, control: Control, kind: ControlKind): boolean {
  if (event.defaultPrevented || !isUsable(control)) return false;
  const byTouch = isByTouch(event);
  if (isSelect(control)) return !knowsOpen && !isListBox(control) && (isPress(event) || isOpeningKey(event));
  if (kind === 'color') return event.type === 'click';
  return event.type === 'click' && byTouch && kind !== 'suggestions';
}

const isByTouch = (event: Event): boolean =>
  (event instanceof PointerEvent && event.pointerType === 'touch') ||
  (event as { sourceCapabilities?: { firesTouchEvents: boolean } | null }).sourceCapabilities
    ?.firesTouchEvents === true;

/** What is open now of what a press can have opened: what was pressed, or what the page opens for it. */
function openedBy(event: Event, path: EventTarget[]): { control: Control; kind: ControlKind } | undefined {
  const target = targetOf(path);
  const kind = kindOf(target);
  if (kind && kind !== 'suggestions' && isOpened(event, target as Control, kind))
    return { control: target as Control, kind };
  const roots = [document, ...path.filter((each) => each instanceof ShadowRoot)];
  for (const control of roots.flatMap((root) => [...root.querySelectorAll<Control>(openOnes)])) {
    const other = kindOf(control);
    if (other && other !== 'suggestions') return { control, kind: other };
  }
  return undefined;
}

const isOpened = (event: Event, control: Control, kind: ControlKind): boolean =>
  isOpen(control) || opensUnseen(event, control, kind);

function look(event: Event, path: EventTarget[], of: number, isLast: boolean): void {
  if (!listening) return;
  const opened = openedBy(event, path);
  if (opened) {
    const { control, kind } = opened;
    offer(control, kind, isOpen(control) || (!knowsOpen && isSelect(control)), of);
    return;
  }
  offerHidden(event, targetOf(path), of);
  if (!isLast && event.type !== 'mousedown') setTimeout(() => look(event, path, of, true), laterMs);
}

function heard(event: Event): void {
  if (!event.isTrusted) return;
  if (event.type === 'mousedown' || event.type === 'keydown') gesture++;
  if (event instanceof KeyboardEvent && !openers.includes(event.key)) return;
  const of = gesture;
  const path = event.composedPath();
  const target = targetOf(path);
  if (isSelect(target) && opensHere(event, target)) {
    event.preventDefault();
    setTimeout(() => {
      target.focus();
      offer(target, 'select', false, of);
    });
    return;
  }
  setTimeout(() => look(event, path, of, false));
}

/** Suggestions come and go with what is typed. */
function typed(event: Event): void {
  const [target] = event.composedPath();
  if (!event.isTrusted || !isInput(target) || kindOf(target) !== 'suggestions' || !isUsable(target)) return;
  if (event.type === 'click' && target.value !== '') return;
  setTimeout(() => {
    const none = suggestionsFor(target).length === 0;
    if (!none || current?.control === target) offer(target, 'suggestions', false, gesture);
  });
}

/** A field that is left has no suggestions any more. */
function left(event: Event): void {
  const [target] = event.composedPath();
  if (!isInput(target) || current?.control !== target || current.kind !== 'suggestions') return;
  tell({ ...factsOf(target, 'suggestions'), options: [], number: current.number, shown: false });
}

export function begin(): void {
  if (listening) return;
  // Another viewer may come after this one has left, to the same document.
  listening = new AbortController();
  const options = { capture: true, signal: listening.signal };
  for (const type of ['keydown', 'keypress', 'keyup'] as const) addEventListener(type, hush, options);
  for (const type of ['mousedown', 'click', 'keydown', 'keypress']) addEventListener(type, heard, options);
  for (const type of ['click', 'input']) addEventListener(type, typed, options);
  addEventListener('blur', left, options);
}

export function next(): Promise<ControlFacts | HiddenTarget | null> {
  begin();
  const kept = told;
  told = undefined;
  if (kept) return Promise.resolve(kept);
  waiting?.(null);
  return new Promise((resolve) => {
    waiting = resolve;
  });
}

export function end(): void {
  listening?.abort();
  waiting?.(null);
  listening = told = waiting = undefined;
}

const controlOf = (number: number): Element | undefined =>
  current?.number === number && current.control.isConnected ? current.control : undefined;

export function within(control: unknown): boolean {
  const kind = kindOf(control);
  if (!kind || !isOpen(control as Control)) return false;
  offer(control as Control, kind, true, gesture);
  return true;
}

export const element = (number: number): Element | undefined => controlOf(number);

/** Resolves when Chromium shows nothing for it any more, or still does after a while. */
export async function shut(number: number): Promise<boolean> {
  const control = controlOf(number);
  for (let looks = 0; control && isOpen(control); looks++) {
    if (looks === mostLooks) return false;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
  return true;
}

export function aim(number: number, index: number): Aim {
  const select = controlOf(number);
  return isSelect(select) && isUsable(select) ? aimAt(select, index) : null;
}

export function chosen(number: number, index: number): boolean {
  const select = controlOf(number);
  return isSelect(select) && isUsable(select) && isChosen(select, index);
}

export function choose(number: number, indexes: number[]): boolean {
  const select = controlOf(number);
  if (!isSelect(select) || !isUsable(select)) return false;
  choosing(select, indexes);
  return true;
}

export function write(number: number, value: string): boolean {
  const input = controlOf(number);
  return isInput(input) && isUsable(input) && writing(input, value);
}

export function selectText(number: number): boolean {
  const input = controlOf(number);
  if (!isInput(input) || !isUsable(input)) return false;
  input.focus();
  input.select();
  return true;
}

export const suggestion = (number: number, index: number): string | undefined => {
  const input = controlOf(number);
  return isInput(input) ? suggestionAt(input, index) : undefined;
};

export const file = (input: unknown): FileFacts | null => fileFacts(input);

export function fileCancelled(input: unknown): void {
  if (isInput(input)) input.dispatchEvent(new Event('cancel', { bubbles: true }));
}
