// A list to choose from, as Chromium would show it: groups, disabled options, keys, search by typing. Long lists have a field
// to search in. What the page calls its options is shown as text, never as markup.
import type { Picker } from '../src/page/view/picker.ts';

const manyOptions = 20;
const typingMs = 800;
const pageRows = 10;

type Option = NonNullable<Picker['options']>[number];

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** -1: it is none of them. */
const placeOf = (option: Option | undefined, all: Option[]): number => (option ? all.indexOf(option) : -1);

/** `onPick` hears the option that was chosen; of a list with several, what is chosen is asked for with `chosen`. */
export function listOf(
  { id, options = [], groups = [], multiple = false, cut = false, label }: Picker,
  onPick: (index: number) => void,
) {
  const nameOf = ({ index }: Option): string => `${id}-${index}`;
  const items = new Map<number, HTMLElement>();
  const list = make('div', { role: 'listbox', tabindex: '0', class: 'list', id: `${id}-list` });
  list.setAttribute('aria-label', label || 'Options');
  if (multiple) list.setAttribute('aria-multiselectable', 'true');
  const chosen = new Set(options.filter(({ selected }) => selected).map(({ index }) => index));
  const boxes = groups.map((name) => {
    const box = make('div', { role: 'group', 'aria-label': name || 'Group' });
    box.append(make('div', { class: 'group', 'aria-hidden': 'true' }, name));
    return box;
  });
  for (const option of options) {
    const item = make('div', { role: 'option', id: nameOf(option) }, option.text || ' ');
    item.setAttribute('aria-selected', String(chosen.has(option.index)));
    if (option.disabled) item.setAttribute('aria-disabled', 'true');
    items.set(option.index, item);
    const group = option.group === undefined ? undefined : boxes[option.group];
    if (group && !group.isConnected && group.parentElement !== list) list.append(group);
    (group ?? list).append(item);
    item.onclick = () => take(option);
  }
  if (cut) list.append(make('div', { class: 'group', 'aria-hidden': 'true' }, '… and more, not shown'));

  let active: Option | undefined;
  const filter = options.length > manyOptions ? searchField() : undefined;
  const itemOf = (option: Option | undefined): HTMLElement | undefined => option && items.get(option.index);
  const isThere = (option: Option): boolean => !option.disabled && itemOf(option)?.hidden === false;
  const there = (): Option[] => options.filter(isThere);

  function activate(option: Option | undefined): void {
    itemOf(active)?.classList.remove('active');
    active = option;
    const item = itemOf(option);
    item?.classList.add('active');
    item?.scrollIntoView({ block: 'nearest' });
    for (const element of [list, filter])
      if (item) element?.setAttribute('aria-activedescendant', item.id);
      else element?.removeAttribute('aria-activedescendant');
  }
  function take(option: Option): void {
    if (option.disabled) return;
    activate(option);
    if (multiple) toggle(option);
    else onPick(option.index);
  }
  function toggle(option: Option): void {
    if (!chosen.delete(option.index)) chosen.add(option.index);
    itemOf(option)?.setAttribute('aria-selected', String(chosen.has(option.index)));
  }
  function searchField(): HTMLInputElement {
    const field = make('input', {
      type: 'search',
      role: 'combobox',
      'aria-label': 'Search',
      class: 'search',
    });
    field.setAttribute('aria-expanded', 'true');
    field.setAttribute('aria-controls', list.id);
    field.setAttribute('autocomplete', 'off');
    field.oninput = () => {
      const wanted = field.value.trim().toLowerCase();
      for (const option of options) {
        const item = itemOf(option);
        if (item) item.hidden = !option.text.toLowerCase().includes(wanted);
      }
      for (const box of boxes)
        box.hidden = ![...box.querySelectorAll<HTMLElement>('[role=option]')].some(({ hidden }) => !hidden);
      activate(there()[0]);
    };
    return field;
  }

  let typed = '';
  let typedAt = 0;
  function search(key: string, at: number): void {
    typed = at - typedAt > typingMs ? key : typed + key;
    typedAt = at;
    const all = there();
    const from = placeOf(active, all) + (typed.length === 1 ? 1 : 0);
    const inTurn = [...all.slice(from), ...all.slice(0, from)];
    const found = inTurn.find(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()));
    if (found) activate(found);
  }
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows };
  /** Whether the key was for the list. */
  function press(event: KeyboardEvent): boolean {
    const { key } = event;
    const all = there();
    const step = steps[key];
    const isWriting = event.target === filter && filter?.value !== '';
    if (step !== undefined) activate(all[Math.min(Math.max(placeOf(active, all) + step, 0), all.length - 1)]);
    else if (key === 'Home' && !isWriting) activate(all[0]);
    else if (key === 'End' && !isWriting) activate(all.at(-1));
    else if (key === 'Enter' && active && !multiple) take(active);
    else if (key === ' ' && event.target === list && active) take(active);
    else if (event.target === list && key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      search(key, event.timeStamp);
    else return false;
    return true;
  }
  return {
    elements: filter ? [filter, list] : [list],
    press,
    chosen: (): number[] => [...chosen],
    /** Once it is shown. */
    begin(isFocused = true): void {
      const first = options.find(({ index }) => chosen.has(index)) ?? (isFocused ? there()[0] : undefined);
      if (first) activate(first);
      if (isFocused) (filter && matchMedia('(pointer: fine)').matches ? filter : list).focus();
    },
  };
}
