/** The requests as a table, newest at the bottom. Of thousands only the rows in view are drawn. */
import { useEffect, useMemo } from 'react';
import type { Row } from './known-requests.ts';
import { exactDuration } from './request-facts.ts';
import { RequestRow } from './request-row.tsx';
import { useRowFocus } from './row-focus.ts';
import { timeScale } from './time-scale.ts';
import { useRowWindow } from './use-row-window.ts';
import { spanOf } from './waterfall.tsx';

export function RequestTable(props: {
  rows: readonly Row[];
  selected: string | undefined;
  /** The row that gets the focus back: its details were closed. */
  returnTo: { id: string } | undefined;
  onOpen: (id: string) => void;
}) {
  const { rows, selected, returnTo, onOpen } = props;
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const { box, first, end, inView, rowHeight, onScroll, reveal } = useRowWindow(ids);
  const { at, focus, onKeyDown, onFocus, onBlur } = useRowFocus(box, ids, reveal);
  const drawn = useMemo(() => rows.slice(first, end), [rows, first, end]);
  const [top, bottom] = inView;
  const scale = useMemo(() => timeScale(rows.slice(top, bottom).map(spanOf)), [rows, top, bottom]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that details are closed
  useEffect(() => {
    if (returnTo) focus(returnTo.id);
  }, [returnTo]);
  const stop = drawn.some(({ id }) => id === at)
    ? at
    : (drawn.find(({ id }) => id === selected) ?? drawn.at(-1))?.id;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the buttons in it; it has the focus only when the row that had it was scrolled away
    <div
      className="requests-box"
      ref={box}
      tabIndex={-1}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    >
      <table className="requests" aria-label="Requests" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Method</th>
            <th scope="col">Name</th>
            <th scope="col">Status</th>
            <th scope="col">Type</th>
            <th scope="col">Size</th>
            <th scope="col">Time</th>
            <th scope="col" className="requests-scale">
              Waterfall {scale.ms > 0 && <span className="faint">{exactDuration(scale.ms)}</span>}
            </th>
          </tr>
        </thead>
        <tbody style={{ paddingTop: first * rowHeight, paddingBottom: (rows.length - end) * rowHeight }}>
          {drawn.map((request, index) => (
            <RequestRow
              key={request.id}
              request={request}
              index={first + index}
              scale={scale}
              isSelected={request.id === selected}
              isStop={request.id === stop}
              onOpen={onOpen}
              onFocus={onFocus}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
