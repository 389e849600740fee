/**
 * Types a secret into the field that has the focus. Runs in an isolated world, as one task: between the look at the
 * origin and the last letter no script of the page runs but the page's own listeners, in this very document.
 */
import type { SecretField } from './inside.ts';

const typeable = new Set(['text', 'password', 'email', 'tel', 'url', 'search', 'number', '']);

/** The element with the focus, within open shadow trees too. */
export function focused(): Element | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

function problemOf(element: Element): SecretField['problem'] {
  if (element === document.body || element === document.documentElement) return 'nothing';
  const isInput = element instanceof HTMLInputElement;
  const isField = (isInput && typeable.has(element.type)) || element instanceof HTMLTextAreaElement;
  if (!isField && !(element instanceof HTMLElement && element.isContentEditable)) return 'no field';
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return 'hidden';
  const { width, height } = element.getBoundingClientRect();
  if (width < 1 || height < 1) return 'hidden';
  if (isField && (element as HTMLInputElement).disabled) return 'disabled';
  if (isField && (element as HTMLInputElement).readOnly) return 'read-only';
  return undefined;
}

export function look(element: Element): SecretField {
  const problem = focused() === element ? problemOf(element) : 'nothing';
  return { origin: self.origin, ...(problem && { problem }) };
}

/** As a person would: what is there is selected and replaced, and the page hears of it as of any typing. */
export function typeInto(element: HTMLElement, origins: readonly string[], text: string): SecretField {
  const before = look(element);
  if (!origins.includes(before.origin) || before.problem) return before;
  cover(element);
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.select();
  else getSelection()?.selectAllChildren(element);
  // A listener of the page may have moved the focus; the text would follow it.
  if (focused() !== element) return { ...before, problem: 'nothing' };
  document.execCommand('insertText', false, text);
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return before;
}

const dots = ['-webkit-text-security', 'disc'] as const;

/**
 * Pictures of the page show dots in the field from now on, also when the page makes it a field of plain text. Whatever
 * takes the cover off, it is back before the next picture is drawn. With `autocomplete` off, Chromium does not keep the
 * text with the history of the tab; it would put it, uncovered, into the new document when a viewer or a script goes back.
 */
function cover(element: HTMLElement): void {
  const [name, value] = dots;
  const isOn = (): boolean =>
    element.style.getPropertyValue(name) === value && element.style.getPropertyPriority(name) === 'important';
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const put = (): void => {
    if (!isOn()) element.style.setProperty(name, value, 'important');
    if (isField && element.autocomplete !== 'off') element.autocomplete = 'off';
  };
  put();
  new MutationObserver(put).observe(element, {
    attributes: true,
    attributeFilter: ['style', 'class', 'type', 'autocomplete'],
  });
}
