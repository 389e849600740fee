// A list to choose from, as Chromium would show it: groups, disabled options, keys, search by typing. Long lists have a field
// to search in. What the page calls its options is shown as text, never as markup.
const manyOptions = 20;
const typingMs = 800;
const pageRows = 10;

const make = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
};

/** `onPick` hears the option that was chosen; of a list with several, what is chosen is asked for with `chosen`. */
export function listOf({ id, options, groups = [], multiple = false, cut = false, label }, onPick) {
  const nameOf = ({ index }) => `${id}-${index}`;
  const items = new Map();
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

  let active;
  const filter = options.length > manyOptions ? searchField() : undefined;
  const isThere = (option) => !option.disabled && !items.get(option.index).hidden;
  const there = () => options.filter(isThere);

  function activate(option) {
    items.get(active?.index)?.classList.remove('active');
    active = option;
    const item = items.get(option?.index);
    item?.classList.add('active');
    item?.scrollIntoView({ block: 'nearest' });
    for (const element of [list, filter])
      if (item) element?.setAttribute('aria-activedescendant', item.id);
      else element?.removeAttribute('aria-activedescendant');
  }
  function take(option) {
    if (!option || option.disabled) return;
    activate(option);
    if (!multiple) return onPick(option.index);
    if (!chosen.delete(option.index)) chosen.add(option.index);
    items.get(option.index).setAttribute('aria-selected', String(chosen.has(option.index)));
  }
  function searchField() {
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
      for (const { index, text } of options) items.get(index).hidden = !text.toLowerCase().includes(wanted);
      for (const box of boxes)
        box.hidden = ![...box.querySelectorAll('[role=option]')].some(({ hidden }) => !hidden);
      activate(there()[0]);
    };
    return field;
  }

  let typed = '';
  let typedAt = 0;
  function search(key, at) {
    typed = at - typedAt > typingMs ? key : typed + key;
    typedAt = at;
    const all = there();
    const from = all.indexOf(active) + (typed.length === 1 ? 1 : 0);
    const inTurn = [...all.slice(from), ...all.slice(0, from)];
    const found = inTurn.find(({ text }) => text.toLowerCase().startsWith(typed.toLowerCase()));
    if (found) activate(found);
  }
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: pageRows, PageUp: -pageRows };
  /** Whether the key was for the list. */
  function press(event) {
    const { key } = event;
    const all = there();
    const at = all.indexOf(active);
    if (key in steps) activate(all[Math.min(Math.max(at + steps[key], 0), all.length - 1)]);
    else if (key === 'Home' && !event.target.value) activate(all[0]);
    else if (key === 'End' && !event.target.value) activate(all.at(-1));
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
    chosen: () => [...chosen],
    /** Once it is shown. */
    begin(isFocused = true) {
      const first = options.find(({ index }) => chosen.has(index)) ?? (isFocused ? there()[0] : undefined);
      if (first) activate(first);
      if (isFocused) (filter && matchMedia('(pointer: fine)').matches ? filter : list).focus();
    },
  };
}
