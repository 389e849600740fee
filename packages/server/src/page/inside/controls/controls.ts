/**
 * Learns which control a person has opened. Chromium draws the lists of selects and the dialogs of date and colour fields in
 * windows of their own, which are in no picture of the page; what is open is seen by `:open` after each press:
 *
 *   a person's mouse or key ──> Chromium opens something ──> next() tells what
 *
 * Nothing is kept from the page. It runs in a world of its own, in each frame.
 */
import type { Aim, ControlFacts, ControlKind, FileFacts } from '../inside.ts';
import { aimAt, choosing, isChosen, writing } from './choice.ts';
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

const listening = new AbortController();
let isListening = false;
let lastNumber = 0;
/** The newest one alone: Chromium too has one open at a time. */
let current: { number: number; control: Control; kind: ControlKind; at: number } | undefined;
let told: ControlFacts | undefined;
let waiting: ((facts: ControlFacts | null) => void) | undefined;

/** From the press to the click that it becomes. */
const gestureMs = 700;
/** A page may open a field a little after the click that it was asked with. */
const laterMs = 150;
const openOnes = 'select:open, input:open';

const isOpen = (element: Element): boolean => element.matches(':open');

function offer(control: Control, kind: ControlKind, shown: boolean, at: number): void {
  const again = current?.control === control && at - current.at < gestureMs;
  if (again && kind !== 'suggestions') return;
  current = { number: ++lastNumber, control, kind, at };
  const facts = { ...factsOf(control, kind), number: lastNumber, shown };
  if (waiting) waiting(facts);
  else told = facts;
  waiting = undefined;
}

/** What this event opens that `:open` does not tell. */
function opensUnseen(event: Event, control: Control, kind: ControlKind): boolean {
  if (event.defaultPrevented || !isUsable(control)) return false;
  const byTouch = isByTouch(event);
  if (isSelect(control)) {
    const byKey = event instanceof KeyboardEvent && event.altKey && /^Arrow(Down|Up)$/.test(event.key);
    const isPress = event.type === 'mousedown' && (byTouch || (control.multiple && control.size === 1));
    return isListBox(control) && (byKey || isPress);
  }
  if (kind === 'color') return event.type === 'click';
  return event.type === 'click' && byTouch && kind !== 'suggestions';
}

const isByTouch = (event: Event): boolean =>
  (event instanceof PointerEvent && event.pointerType === 'touch') ||
  (event instanceof UIEvent && event.sourceCapabilities?.firesTouchEvents === true);

function look(event: Event, path: EventTarget[], isLast: boolean): void {
  if (listening.signal.aborted) return;
  const [target] = path;
  const kind = kindOf(target);
  if (kind && kind !== 'suggestions') {
    const control = target as Control;
    const shown = isOpen(control);
    if (shown || opensUnseen(event, control, kind)) return offer(control, kind, shown, event.timeStamp);
  }
  const roots = [document, ...path.filter((each) => each instanceof ShadowRoot)];
  for (const root of roots)
    for (const control of root.querySelectorAll<Control>(openOnes)) {
      const other = kindOf(control);
      if (other && other !== 'suggestions') return offer(control, other, true, event.timeStamp);
    }
  if (!isLast && event.type !== 'mousedown') setTimeout(() => look(event, path, true), laterMs);
}

function heard(event: Event): void {
  if (!event.isTrusted) return;
  const path = event.composedPath();
  // A list of several rows that is touched would lose what was chosen in it before the person sees it.
  if (event.type === 'mousedown' && isSelect(path[0]) && isListBox(path[0]) && isByTouch(event)) {
    const [select] = path;
    if (!event.defaultPrevented && isUsable(select)) {
      event.preventDefault();
      setTimeout(() => offer(select, 'select', false, event.timeStamp));
    }
    return;
  }
  setTimeout(() => look(event, path, false));
}

/** Suggestions come and go with what is typed. */
function typed(event: Event): void {
  const [target] = event.composedPath();
  if (!event.isTrusted || !isInput(target) || kindOf(target) !== 'suggestions' || !isUsable(target)) return;
  if (event.type === 'click' && target.value !== '') return;
  setTimeout(() => {
    const none = suggestionsFor(target).length === 0;
    if (!none || current?.control === target) offer(target, 'suggestions', false, event.timeStamp);
  });
}

export function begin(): void {
  if (isListening) return;
  isListening = true;
  const options = { capture: true, signal: listening.signal };
  for (const type of ['mousedown', 'click', 'keydown', 'keypress']) addEventListener(type, heard, options);
  for (const type of ['click', 'input']) addEventListener(type, typed, options);
}

export function next(): Promise<ControlFacts | null> {
  begin();
  const facts = told;
  told = undefined;
  if (facts) return Promise.resolve(facts);
  waiting?.(null);
  return new Promise((resolve) => {
    waiting = resolve;
  });
}

export function end(): void {
  listening.abort();
  waiting?.(null);
  waiting = undefined;
}

const controlOf = (number: number): Control | undefined =>
  current?.number === number && current.control.isConnected ? current.control : undefined;

export const element = (number: number): Element | undefined => controlOf(number);

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
