/**
 * One row of a list at a time is reached with Tab; arrow keys, Home, End and the page keys move from there. The row with the
 * focus may lie outside of what is drawn: it is scrolled to first, and gets the focus when it is there.
 */
import { type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';

const pageRows = 15;

/** By which key, from which row, to which. */
export function nextRow(key: string, index: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    PageDown: index + pageRows,
    PageUp: index - pageRows,
    Home: 0,
    End: count - 1,
  };
  const next = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return next === undefined || count === 0 ? undefined : Math.min(Math.max(next, 0), count - 1);
}

export interface RowFocus {
  /** The row that the person was at last. */
  at: string | undefined;
  focus: (id: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (id: string) => void;
  onBlur: () => void;
}

export function useRowFocus(
  box: RefObject<HTMLElement | null>,
  ids: readonly string[],
  reveal: (index: number) => void,
): RowFocus {
  const [at, setAt] = useState<string>();
  const wanted = useRef<string>(undefined);
  const had = useRef(false);
  /** Whether the row that is to have the focus was drawn already, and has it now. */
  const give = useCallback((): boolean => {
    const row =
      wanted.current && box.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(wanted.current)}"]`);
    if (!row) return false;
    wanted.current = undefined;
    row.focus({ preventScroll: true });
    return true;
  }, [box]);
  const focus = useCallback(
    (id: string): void => {
      const index = ids.indexOf(id);
      if (index < 0) {
        // a filter has taken it away
        box.current?.focus({ preventScroll: true });
        return;
      }
      wanted.current = id;
      setAt(id);
      reveal(index);
      give();
    },
    [box, ids, reveal, give],
  );
  // after every drawing: the row may have come with it, or gone
  useLayoutEffect(() => {
    if (give() || !had.current || document.activeElement !== document.body) return;
    // it was scrolled away with the focus, and gets it again when it comes back
    wanted.current = at;
    box.current?.focus({ preventScroll: true });
  });
  return {
    at,
    focus,
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const index = at === undefined ? -1 : ids.indexOf(at);
      const next = nextRow(event.key, index < 0 ? ids.length - 1 : index, ids.length);
      const id = next === undefined ? undefined : ids[next];
      if (id === undefined) return;
      event.preventDefault();
      focus(id);
    },
    onFocus: (id) => {
      had.current = true;
      setAt(id);
    },
    onBlur: () => {
      had.current = false;
      wanted.current = undefined;
    },
  };
}
