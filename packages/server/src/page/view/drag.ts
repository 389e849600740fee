/**
 * Drag and drop in the page. Chromium would hand a drag to a desktop that is not there, so it is intercepted while a
 * viewer holds the left button, and what the mouse does from then on is told as a drag:
 *
 *   press ──> intercept ──move──> the page begins a drag, with data ──> enter, over, over ──release──> drop
 *                                                                                       └── lost, Escape ──> cancel
 *
 * A page that is slow begins after the release: then all of it is told at once. It stays intercepted a while longer for
 * that, but not always: a script that drags intercepts by itself, and only one of both would hear of it.
 */
import type { InputCommand } from './input.ts';

interface DragData {
  items: { mimeType: string; data: string }[];
  dragOperationsMask: number;
}

export interface Place {
  x: number;
  y: number;
}

export const intercept = (enabled: boolean): InputCommand => ({
  method: 'Input.setInterceptDrags',
  params: { enabled },
});

export class Drag {
  readonly #data: DragData;

  constructor({ items, dragOperationsMask }: DragData) {
    this.#data = { items: items.filter(isOpen), dragOperationsMask };
  }

  begin(at: Place, modifiers: number): InputCommand[] {
    return [event('dragEnter', at, this.#data, modifiers), this.over(at, modifiers)];
  }

  over(at: Place, modifiers: number): InputCommand {
    return event('dragOver', at, this.#empty, modifiers);
  }

  drop(at: Place, modifiers: number): InputCommand {
    return event('drop', at, this.#data, modifiers);
  }

  cancel(at: Place): InputCommand {
    return event('dragCancel', at, this.#empty, 0);
  }

  /** Chromium has the data since the drag entered. */
  get #empty(): DragData {
    return { items: [], dragOperationsMask: this.#data.dragOperationsMask };
  }
}

const event = (type: string, at: Place, data: DragData, modifiers: number): InputCommand => ({
  method: 'Input.dispatchDragEvent',
  params: { type, ...at, data, modifiers },
});

/** A link that no client may open must not be dropped either; the rest of what is dragged may. */
const isOpen = ({ mimeType, data }: DragData['items'][number]): boolean =>
  !/uri-list/i.test(mimeType) || data.split('\n').every((line) => /^\s*(#|$|https?:|data:)/i.test(line));
