/**
 * Which rows of a long list are drawn: those in view, and some around them. All rows are of one height, which the style
 * sheet decides. A reader at the end of the list stays there when rows come; a reader further up keeps their row.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export interface RowWindow {
  box: RefObject<HTMLDivElement | null>;
  /** The rows from `first` up to, and without, `end` are drawn; those of `inView` are seen. */
  first: number;
  end: number;
  inView: readonly [first: number, end: number];
  rowHeight: number;
  onScroll: () => void;
  /** Scrolls as far as it takes to see the row. */
  reveal: (index: number) => void;
}

const around = 10;
const before = { top: 0, height: 600, row: 32 };

export function useRowWindow(ids: readonly string[]): RowWindow {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(before);
  const isAtEnd = useRef(true);
  const anchor = useRef<{ id: string | undefined; offset: number }>({ id: undefined, offset: 0 });
  const measure = useCallback((): void => {
    const element = box.current;
    // a list that is not displayed has no height, and will be measured when it is
    if (!element || element.clientHeight === 0) return;
    const row = element.querySelector<HTMLElement>('tbody tr')?.offsetHeight || before.row;
    const [top, height] = [element.scrollTop, element.clientHeight];
    setSeen((was) =>
      was.top === top && was.height === height && was.row === row ? was : { top, height, row },
    );
  }, []);
  const { row } = seen;
  const onScroll = (): void => {
    const element = box.current;
    if (!element) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < row;
    const index = Math.floor(element.scrollTop / row);
    anchor.current = { id: ids[index], offset: element.scrollTop - index * row };
    measure();
  };
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const index = isAtEnd.current ? -1 : ids.indexOf(anchor.current.id ?? '');
    if (isAtEnd.current) element.scrollTop = element.scrollHeight;
    else if (index >= 0) element.scrollTop = index * row + anchor.current.offset;
    measure();
  }, [ids, row, measure]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);
  const reveal = useCallback(
    (index: number): void => {
      const element = box.current;
      if (!element) return;
      const head = element.querySelector('thead')?.offsetHeight ?? 0;
      const top = index * row;
      const bottom = top + row + head - element.clientHeight;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (bottom > element.scrollTop) element.scrollTop = bottom;
      measure();
    },
    [row, measure],
  );
  const top = Math.max(0, Math.min(Math.floor(seen.top / row), ids.length - 1));
  const bottom = Math.min(ids.length, Math.ceil((seen.top + seen.height) / row));
  const [first, end] = [Math.max(0, top - around), Math.min(ids.length, bottom + around)];
  return { box, first, end, inView: [top, bottom], rowHeight: row, onScroll, reveal };
}
