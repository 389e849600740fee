// What the browser would draw outside the page, and what is therefore in no picture of it: lists of selects, dates, times,
// colours, files. It is drawn here, at the place of the control, and the page is told what was chosen.
import { fileField } from './picker-file.js';
import { listOf } from './picker-list.js';

const $ = (id) => document.getElementById(id);
const edge = 8;
const leastHeight = 120;
const mostSuggested = 240;
const titles = {
  select: 'Choose',
  date: 'Date',
  time: 'Time',
  'datetime-local': 'Date and time',
  month: 'Month',
  week: 'Week',
  color: 'Colour',
  file: 'Choose a file',
};

/** `size`: of the page, in its own pixels. `addressOf`: where a file of this name is uploaded to. */
export function pickersOn({ screen, size, send, addressOf }) {
  const box = $('picker');
  let open;

  const answer = (what) => {
    if (!open) return;
    send({ type: 'pick', pickerId: open.picker.id, ...what });
    close();
  };
  function close() {
    const closed = open;
    open = undefined;
    closed?.end?.();
    $('suggestions').hidden = true;
    if (box.open) box.close();
  }

  /** Below the control where there is room, above it where there is more; a narrow window shows it at its lower edge. */
  function place(element, at) {
    const shown = screen.getBoundingClientRect();
    const scale = shown.width / size().width;
    const where = at ?? { x: size().width / 2, y: size().height / 3, width: 0, height: 0 };
    const left = shown.left + where.x * scale;
    const top = shown.top + where.y * scale;
    const bottom = top + where.height * scale;
    const set = (name, px) => element.style.setProperty(name, px === undefined ? 'none' : `${px}px`);
    set('--least-width', Math.min(where.width * scale, innerWidth - 2 * edge));
    set('--most-height', undefined);
    const { width, height } = element.getBoundingClientRect();
    const [below, above] = [innerHeight - bottom - edge, top - edge];
    const isAbove = height > below && above > below;
    const most = Math.max(isAbove ? above : below, leastHeight);
    set('--most-height', element.id === 'suggestions' ? Math.min(most, mostSuggested) : most);
    set('--left', Math.max(edge, Math.min(left, innerWidth - width - edge)));
    const wanted = isAbove ? top - Math.min(height, above) : bottom;
    set('--top', Math.max(edge, Math.min(wanted, innerHeight - Math.min(height, leastHeight) - edge)));
  }

  function listPart(picker) {
    const list = listOf(picker, (index) => answer({ options: [index] }));
    return {
      elements: list.elements,
      press: list.press,
      accept: picker.multiple ? () => answer({ options: list.chosen() }) : undefined,
      begin: () => list.begin(),
    };
  }

  function fieldPart({ kind, value, min, max, step, required, label }) {
    const field = document.createElement('input');
    field.type = kind;
    field.setAttribute('aria-label', label || titles[kind]);
    for (const [name, given] of Object.entries({ min, max, step })) if (given) field[name] = given;
    field.value = value;
    return {
      elements: [field],
      accept: () => field.reportValidity() && answer({ value: field.value }),
      clear: required || kind === 'color' ? undefined : () => answer({ value: '' }),
      begin() {
        field.focus();
        try {
          field.showPicker?.();
        } catch {
          // the press on the picture was too long ago; the field itself is there
        }
      },
    };
  }

  function filePart(picker) {
    const status = (text) => {
      $('picker-problem').textContent = text;
    };
    const { field, end } = fileField(picker, {
      addressOf,
      done: (files) => answer({ files }),
      failed: status,
      busy: status,
    });
    return { elements: [field], end, begin: () => field.focus() };
  }

  const partOf = (picker) => {
    if (picker.kind === 'select') return listPart(picker);
    return picker.kind === 'file' ? filePart(picker) : fieldPart(picker);
  };

  /** Beside the keyboard, which stays with the page: suggestions for what is typed there. */
  function suggest(picker) {
    const list = listOf(picker, (index) => answer({ options: [index] }));
    const element = $('suggestions');
    element.replaceChildren(...list.elements.filter((each) => each.role === 'listbox'));
    element.hidden = false;
    open = { picker, press: list.press };
    place(element, picker.box);
    list.begin(false);
  }

  function show(picker) {
    close();
    if (picker.kind === 'suggestions') return suggest(picker);
    const part = partOf(picker);
    open = { picker, ...part };
    box.dataset.kind = picker.kind;
    $('picker-label').textContent = picker.label || titles[picker.kind];
    $('picker-problem').textContent = '';
    $('picker-body').replaceChildren(...part.elements);
    $('picker-accept').hidden = !part.accept;
    $('picker-clear').hidden = !part.clear;
    box.showModal();
    place(box, picker.box);
    part.begin();
  }

  box.oncancel = (event) => {
    event.preventDefault();
    answer({});
  };
  // a press beside it closes it, as in a browser; a handler that returned false would keep the buttons from their work
  box.onclick = ({ target }) => {
    if (target === box) answer({});
  };
  box.onkeydown = (event) => {
    if (open?.press?.(event)) event.preventDefault();
  };
  $('picker-form').onsubmit = (event) => {
    event.preventDefault();
    open?.accept?.();
  };
  $('picker-cancel').onclick = () => answer({});
  $('picker-clear').onclick = () => open?.clear?.();

  // While there are suggestions the keys that choose one are theirs, and all others the page's.
  const forSuggestions = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'];
  /** The list in which a key was used already; before that Enter is the page's. */
  let begun;
  addEventListener(
    'keydown',
    (event) => {
      if ($('suggestions').hidden || !open || !forSuggestions.includes(event.key)) return;
      if (event.key === 'Enter' && begun !== open.picker.id) return close();
      begun = open.picker.id;
      if (event.key === 'Escape') answer({});
      else open.press({ key: event.key, target: event.target, preventDefault() {} });
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
  // the keyboard stays where it is when a suggestion is pressed
  $('suggestions').onmousedown = (event) => event.preventDefault();
  addEventListener('resize', () => open && place(box.open ? box : $('suggestions'), open.picker.box));

  return {
    show,
    close: (pickerId) => open?.picker.id === pickerId && close(),
    closeAll: close,
  };
}
