/**
 * Sets what a person chose, as Chromium would: the page hears `input` and `change`, and frameworks that watch the property
 * of their own element see a new value, because this world's setters are not theirs.
 */
import type { Aim } from '../inside.ts';
import { isReachable } from './facts.ts';

/** Chromium takes the key at once; what is left of this after a second is for a key that never came. */
const armedMs = 1000;
let disarm: () => void = () => undefined;
let armed: string | undefined;
let changed = false;

/** A key that the service presses, and that is none of the page's business. */
export function hush(event: KeyboardEvent): void {
  if (event.key !== armed || !event.isTrusted) return;
  event.stopImmediatePropagation();
  if (event.key === 'Escape') event.preventDefault();
}

/**
 * Escape closes what Chromium has opened, which takes it before the page does. If that was closed by something else
 * meanwhile, the page must not take it for itself.
 */
export function expectEscape(): void {
  disarm();
  armed = 'Escape';
  const late = setTimeout(() => disarm(), armedMs);
  disarm = () => {
    clearTimeout(late);
    armed = undefined;
  };
}

function tell(element: Element): void {
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
}

/**
 * The key moves the choice of the focused list by one and is a person's to Chromium, so that the page hears events that it
 * can trust. The key itself is kept from it (`hush`): a page may do something else at that key.
 */
function arm(select: HTMLSelectElement, key: string): void {
  disarm();
  armed = key;
  changed = false;
  const heard = (event: Event): void => {
    changed ||= event.isTrusted;
  };
  select.addEventListener('change', heard, true);
  const late = setTimeout(() => disarm(), armedMs);
  disarm = () => {
    clearTimeout(late);
    armed = undefined;
    select.removeEventListener('change', heard, true);
  };
}

export function aimAt(select: HTMLSelectElement, index: number): Aim {
  const options = [...select.options];
  const wanted = options[index];
  if (!wanted || !isReachable(wanted)) return null;
  if (select.selectedIndex === index) return 'done';
  const before = options.slice(0, index).findLastIndex(isReachable);
  const after = options.findIndex((option, at) => at > index && isReachable(option));
  const neighbour = before >= 0 ? before : after;
  // With one option alone there is none to come from.
  if (neighbour < 0) {
    choosing(select, [index]);
    return 'done';
  }
  const key = before >= 0 ? 'ArrowDown' : 'ArrowUp';
  select.focus();
  arm(select, key);
  select.selectedIndex = neighbour;
  return key;
}

/** A page that took the key for itself, or the focus, gets the choice without it. */
export function isChosen(select: HTMLSelectElement, index: number): boolean {
  disarm();
  if (select.selectedIndex === index && changed) return true;
  const option = select.options[index];
  if (!option || !isReachable(option)) return false;
  select.selectedIndex = index;
  tell(select);
  return select.selectedIndex === index;
}

export function choosing(select: HTMLSelectElement, indexes: number[]): void {
  const wanted = new Set(indexes);
  let differs = false;
  for (const [index, option] of [...select.options].entries()) {
    // What cannot be chosen stays as the page had it.
    if (!isReachable(option) || option.selected === wanted.has(index)) continue;
    option.selected = wanted.has(index);
    differs = true;
  }
  select.focus();
  if (differs) tell(select);
}

export function writing(input: HTMLInputElement, value: string): boolean {
  const before = input.value;
  if (value === before) return true;
  input.focus();
  input.value = value;
  // A value that the type does not allow becomes another one, or none.
  if (input.value !== value && !(input.type === 'color' && input.value === value.toLowerCase())) {
    input.value = before;
    return false;
  }
  tell(input);
  return true;
}
