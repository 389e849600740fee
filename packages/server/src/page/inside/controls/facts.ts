/**
 * What a person has to know of a control to choose in it. The world of this program has clean prototypes, and neither a
 * select nor an input answers with elements named in it, so their properties are what they seem.
 */
import type { ControlFacts, ControlKind, ControlOption, FileFacts } from '../inside.ts';

const pickers = ['date', 'time', 'datetime-local', 'month', 'week', 'color'];
const mostOptions = 5000;
const mostChars = 400_000;
const longestText = 300;
const longestValue = 1000;

const squeeze = (text: string, most: number): string => text.replace(/\s+/g, ' ').trim().slice(0, most);

export const isSelect = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement;

export const isInput = (element: unknown): element is HTMLInputElement => element instanceof HTMLInputElement;

/** Undefined: Chromium draws all of it in the page. */
export function kindOf(element: unknown): ControlKind | undefined {
  // A list that the page itself styles is drawn in the page.
  if (isSelect(element)) return getComputedStyle(element).appearance === 'base-select' ? undefined : 'select';
  if (!isInput(element)) return undefined;
  if (pickers.includes(element.type)) return element.type as ControlKind;
  return element.list ? 'suggestions' : undefined;
}

/** A list of several rows is drawn in the page. */
export const isListBox = (select: HTMLSelectElement): boolean => select.multiple || select.size > 1;

export const isUsable = (element: Element): boolean =>
  !element.matches(':disabled') && !(isInput(element) && element.readOnly);

function labelOf(element: HTMLSelectElement | HTMLInputElement): string {
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.innerText;
  const placeholder = isInput(element) ? element.placeholder : '';
  return squeeze(label || element.title || placeholder || element.name || '', 100);
}

const isHidden = (option: Element): boolean => getComputedStyle(option).display === 'none';

const isDisabled = (option: HTMLOptionElement): boolean =>
  option.disabled || (option.parentElement instanceof HTMLOptGroupElement && option.parentElement.disabled);

/** Whether the keys of a closed list come to it. */
export const isReachable = (option: HTMLOptionElement): boolean => !isDisabled(option) && !isHidden(option);

function optionsOf(select: HTMLSelectElement): Pick<ControlFacts, 'options' | 'groups' | 'cut'> {
  const options: ControlOption[] = [];
  const groups: Element[] = [];
  let chars = 0;
  for (const [index, option] of [...select.options].entries()) {
    if (options.length >= mostOptions || chars > mostChars)
      return { options, groups: groups.map(groupLabel), cut: true };
    if (isHidden(option)) continue;
    const text = squeeze(option.label, longestText);
    chars += text.length;
    const parent = option.parentElement;
    const group = parent instanceof HTMLOptGroupElement ? parent : undefined;
    if (group && groups.at(-1) !== group) groups.push(group);
    options.push({
      index,
      text,
      ...(option.selected && { selected: true }),
      ...(isDisabled(option) && { disabled: true }),
      ...(group && { group: groups.length - 1 }),
    });
  }
  return { options, groups: groups.map(groupLabel) };
}

const groupLabel = (group: Element): string => squeeze(group.getAttribute('label') ?? '', longestText);

/** Those that fit what is typed, as Chromium would show them. */
export function suggestionsFor(input: HTMLInputElement): ControlOption[] {
  const typed = input.value.trim().toLowerCase();
  const found: ControlOption[] = [];
  for (const [index, option] of [...(input.list?.options ?? [])].entries()) {
    if (found.length >= mostOptions) break;
    const { value, label } = option;
    const fits = [value, label].some((text) => text.toLowerCase().includes(typed));
    if (!value || option.disabled || !fits || value === input.value) continue;
    const more = label && label !== value ? ` · ${label}` : '';
    found.push({ index, text: squeeze(`${value}${more}`, longestText) });
  }
  return found;
}

export const suggestionAt = (input: HTMLInputElement, index: number): string | undefined =>
  input.list?.options[index]?.value;

export function factsOf(
  element: HTMLSelectElement | HTMLInputElement,
  kind: ControlKind,
): Omit<ControlFacts, 'number' | 'shown'> {
  const common = {
    kind,
    label: labelOf(element),
    value: element.value.slice(0, longestValue),
    required: element.required,
  };
  if (isSelect(element)) return { ...common, multiple: element.multiple, ...optionsOf(element) };
  if (kind === 'suggestions') return { ...common, options: suggestionsFor(element), groups: [] };
  const limits = Object.fromEntries(
    (['min', 'max', 'step'] as const)
      .map((name) => [name, element[name].slice(0, 64)])
      .filter(([, at]) => at),
  );
  return { ...common, ...limits };
}

export function fileFacts(input: unknown): FileFacts | null {
  if (!isInput(input) || input.type !== 'file') return null;
  const { accept, multiple, webkitdirectory: directory } = input;
  return { label: labelOf(input), accept: accept.slice(0, longestValue), multiple, directory };
}
