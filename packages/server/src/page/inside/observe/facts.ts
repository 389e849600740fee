/** What an element has been set to, what state it is in, and what else its author says of it. */
import type { SeenNode } from '../inside.ts';
import { attributeOf, fits, tagOf, textOf } from '../pristine.ts';
import { parentOf } from './dom.ts';
import { isEditor } from './operable.ts';
import { longestNote, longestValue, saidBy, short, spoken } from './words.ts';

const isTrue = (element: Element, name: string): boolean => attributeOf(element, name) === 'true';

/** The same number of dots for every password, so that its length is not told. */
const hidden = '••••••••';

/** Fields whose text is no value: their name tells it already. */
const pressed = /^(?:checkbox|radio|submit|button|reset|image)$/;

/** The service typed a secret into it, or its author wants no eyes on it. A part of a secret would pass the masks. */
const isCovered = (element: Element): boolean => {
  if (element instanceof HTMLInputElement && element.type === 'password') return true;
  const how = getComputedStyle(element).getPropertyValue('-webkit-text-security');
  return how !== '' && how !== 'none';
};

/** What stands in an editor is told as its value, not as things of their own. */
export const isOneValue = (editor: Element): boolean =>
  isCovered(editor) || spoken(editor).length < longestValue;

export function setValueOf(element: Element): string | undefined {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if ((isField || isEditor(element)) && isCovered(element)) {
    const text = isField ? element.value : textOf(element);
    return text ? hidden : undefined;
  }
  if (element instanceof HTMLInputElement) {
    const { type, value, files } = element;
    if (pressed.test(type)) return undefined;
    if (type === 'file')
      return (
        [...(files ?? [])]
          .slice(0, 10)
          .map(({ name }) => name)
          .join(', ') || undefined
      );
    return short(value, longestValue) || undefined;
  }
  if (element instanceof HTMLTextAreaElement) return short(element.value, longestValue) || undefined;
  if (element instanceof HTMLSelectElement)
    return (
      short(
        [...element.selectedOptions]
          .slice(0, 20)
          .map(({ label }) => label)
          .join(', '),
        longestValue,
      ) || undefined
    );
  if (element instanceof HTMLProgressElement)
    return element.position < 0 ? undefined : `${Math.round(element.position * 100)}%`;
  if (element instanceof HTMLMeterElement) return String(element.value);
  if (isEditor(element)) return short(spoken(element), longestValue) || undefined;
  const said = attributeOf(element, 'aria-valuetext') ?? attributeOf(element, 'aria-valuenow');
  return short(said, longestValue) || undefined;
}

function checkedness(element: Element): string | undefined {
  if (element instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(element.type)) {
    if (element.indeterminate) return 'mixed';
    return element.checked ? 'checked' : undefined;
  }
  const said = attributeOf(element, 'aria-checked');
  return said === 'true' ? 'checked' : said === 'mixed' ? 'mixed' : undefined;
}

function openness(element: Element): string | undefined {
  const details = tagOf(element) === 'summary' ? parentOf(element) : undefined;
  if (details instanceof HTMLDetailsElement) return details.open ? 'expanded' : 'collapsed';
  const said = attributeOf(element, 'aria-expanded');
  return said === 'true' ? 'expanded' : said === 'false' ? 'collapsed' : undefined;
}

/** Chromium counts an empty field that must be filled as wrong from the start; only what a person was told of is told here. */
const isInvalid = (element: Element): boolean => {
  const said = attributeOf(element, 'aria-invalid');
  return (said !== null && said !== '' && said !== 'false') || fits(element, ':user-invalid');
};

export function statesOf(element: Element, focus: Element | null): string[] {
  const isSelected =
    isTrue(element, 'aria-selected') || (element instanceof HTMLOptionElement && element.selected);
  const popup = attributeOf(element, 'aria-haspopup');
  const all: (string | false | undefined)[] = [
    checkedness(element),
    isTrue(element, 'aria-pressed') && 'pressed',
    isSelected && 'selected',
    openness(element),
    (fits(element, ':disabled') || isTrue(element, 'aria-disabled')) && 'disabled',
    (fits(element, ':required') || isTrue(element, 'aria-required')) && 'required',
    isInvalid(element) && 'invalid',
    (fits(element, 'input[readonly],textarea[readonly]') || isTrue(element, 'aria-readonly')) && 'readonly',
    popup !== null && popup !== 'false' && 'has popup',
    (attributeOf(element, 'aria-current') ?? 'false') !== 'false' && 'current',
    isTrue(element, 'aria-busy') && 'busy',
    element instanceof HTMLMediaElement && (element.paused ? 'paused' : 'playing'),
    element === focus && 'focused',
  ];
  return all.filter((state) => typeof state === 'string');
}

function rangeOf(element: Element): string {
  const isSlider = element instanceof HTMLInputElement && /^(?:range|number)$/.test(element.type);
  const [min, max] = isSlider
    ? [
        attributeOf(element, 'min') ?? (element.type === 'range' ? '0' : ''),
        attributeOf(element, 'max') ?? (element.type === 'range' ? '100' : ''),
      ]
    : [attributeOf(element, 'aria-valuemin') ?? '', attributeOf(element, 'aria-valuemax') ?? ''];
  return min || max ? short(`${min} to ${max}`, 60) : '';
}

function errorOf(element: Element): string {
  if (!isInvalid(element)) return '';
  const told = saidBy(element, 'aria-errormessage');
  const { validationMessage } = element as Partial<HTMLInputElement>;
  return told || short(typeof validationMessage === 'string' ? validationMessage : '', longestNote);
}

export function notesOf(element: Element, name: string): SeenNode['notes'] {
  const notes: Record<string, string> = {};
  const note = (key: string, text: string): void => {
    if (text && text !== name && !Object.values(notes).includes(text)) notes[key] = text;
  };
  const type = element instanceof HTMLInputElement ? element.type : '';
  if (type && !/^(?:text|checkbox|radio|submit|button|range|number|search|reset)$/.test(type))
    note('type', type);
  note('error', errorOf(element));
  note(
    'placeholder',
    short(attributeOf(element, 'placeholder') ?? attributeOf(element, 'aria-placeholder'), longestNote),
  );
  note('title', short(attributeOf(element, 'title'), longestNote));
  note(
    'description',
    saidBy(element, 'aria-describedby') || short(attributeOf(element, 'aria-description'), longestNote),
  );
  note('range', rangeOf(element));
  if (fits(element, 'a[href],area[href]')) note('url', short(attributeOf(element, 'href'), 2000));
  return Object.keys(notes).length > 0 ? notes : undefined;
}
