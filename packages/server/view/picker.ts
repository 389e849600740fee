// What the browser would draw outside the page, and what is therefore in no picture of it: lists of selects, dates, times,
// colours, files. It is drawn here, at the place of the control, and the page is told what was chosen.
import type { Pick, Picker } from '../src/page/view/picker.ts';
import { $ } from './elements.ts';
import type { Send, Size } from './parts.ts';
import { fileField } from './picker-file.ts';
import { listOf } from './picker-list.ts';

const edge = 8;
const leastHeight = 120;
const mostSuggested = 240;
const titles: Partial<Record<Picker['kind'], string>> = {
  select: 'Choose',
  date: 'Date',
  time: 'Time',
  'datetime-local': 'Date and time',
  month: 'Month',
  week: 'Week',
  color: 'Colour',
  file: 'Choose a file',
};

const titleOf = ({ label, kind }: Picker): string => label || (titles[kind] ?? '');

interface Parts {
  screen: HTMLElement;
  size(): Size;
  send: Send;
  /** Where a file of this name is uploaded to. */
  addressOf(name: string): string;
}

/** What is shown for a control. */
interface Part {
  elements: HTMLElement[];
  /** Whether the key was for it. */
  press?(event: KeyboardEvent): boolean;
  accept?(): void;
  clear?(): void;
  /** Once it is shown. */
  begin(): void;
  end?(): void;
}

export interface Pickers {
  show(picker: Picker): void;
  close(pickerId: string): void;
  closeAll(): void;
}

export function pickersOn({ screen, size, send, addressOf }: Parts): Pickers {
  const box = $('picker');
  let open: (Part & { picker: Picker }) | undefined;

  const answer = (what: Omit<Pick, 'type' | 'pickerId'>): void => {
    if (!open) return;
    send({ type: 'pick', pickerId: open.picker.id, ...what });
    close();
  };
  function close(): void {
    const closed = open;
    open = undefined;
    closed?.end?.();
    $('suggestions').hidden = true;
    if (box.open) box.close();
  }

  /** Below the control where there is room, above it where there is more; a narrow window shows it at its lower edge. */
  function place(element: HTMLElement, at: Picker['box']): void {
    const shown = screen.getBoundingClientRect();
    const scale = shown.width / size().width;
    const where = at ?? { x: size().width / 2, y: size().height / 3, width: 0, height: 0 };
    const left = shown.left + where.x * scale;
    const top = shown.top + where.y * scale;
    const bottom = top + where.height * scale;
    const set = (name: string, px?: number): void =>
      element.style.setProperty(name, px === undefined ? 'none' : `${px}px`);
    set('--least-width', Math.min(where.width * scale, innerWidth - 2 * edge));
    set('--most-height');
    const { width, height } = element.getBoundingClientRect();
    const [below, above] = [innerHeight - bottom - edge, top - edge];
    const isAbove = height > below && above > below;
    const most = Math.max(isAbove ? above : below, leastHeight);
    set('--most-height', element.id === 'suggestions' ? Math.min(most, mostSuggested) : most);
    set('--left', Math.max(edge, Math.min(left, innerWidth - width - edge)));
    const wanted = isAbove ? top - Math.min(height, above) : bottom;
    set('--top', Math.max(edge, Math.min(wanted, innerHeight - Math.min(height, leastHeight) - edge)));
  }

  function listPart(picker: Picker): Part {
    const list = listOf(picker, (index) => answer({ options: [index] }));
    return {
      elements: list.elements,
      press: list.press,
      accept: picker.multiple ? () => answer({ options: list.chosen() }) : undefined,
      begin: () => list.begin(),
    };
  }

  function fieldPart(picker: Picker): Part {
    const { kind, value, required } = picker;
    const field = document.createElement('input');
    field.type = kind;
    field.setAttribute('aria-label', titleOf(picker));
    for (const name of ['min', 'max', 'step'] as const) if (picker[name]) field[name] = picker[name];
    field.value = value;
    return {
      elements: [field],
      accept() {
        if (field.reportValidity()) answer({ value: field.value });
      },
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

  function filePart(picker: Picker): Part {
    const status = (text: string): void => {
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

  const partOf = (picker: Picker): Part => {
    if (picker.kind === 'select') return listPart(picker);
    return picker.kind === 'file' ? filePart(picker) : fieldPart(picker);
  };

  /** Beside the keyboard, which stays with the page: suggestions for what is typed there. */
  function suggest(picker: Picker): void {
    const list = listOf(picker, (index) => answer({ options: [index] }));
    const element = $('suggestions');
    const elements = list.elements.filter((each) => each.role === 'listbox');
    element.replaceChildren(...elements);
    element.hidden = false;
    open = { picker, elements, press: list.press, begin: () => list.begin(false) };
    place(element, picker.box);
    open.begin();
  }

  function show(picker: Picker): void {
    close();
    if (picker.kind === 'suggestions') suggest(picker);
    else ask(picker);
  }

  function ask(picker: Picker): void {
    const part = partOf(picker);
    open = { picker, ...part };
    box.dataset.kind = picker.kind;
    $('picker-label').textContent = titleOf(picker);
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
  let begun: string | undefined;
  addEventListener(
    'keydown',
    (event) => {
      if ($('suggestions').hidden || !open || !forSuggestions.includes(event.key)) return;
      if (event.key === 'Enter' && begun !== open.picker.id) return close();
      begun = open.picker.id;
      if (event.key === 'Escape') answer({});
      else open.press?.(event);
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
    close(pickerId) {
      if (open?.picker.id === pickerId) close();
    },
    closeAll: close,
  };
}
