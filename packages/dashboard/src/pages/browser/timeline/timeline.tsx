/**
 * The events of a browser, line by line. A click opens a line and seeks to that moment if a recording covers it; while the
 * recording plays, the line of the moment is marked and kept visible.
 */
import type { Browser } from '@browserd/sdk';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Empty, ErrorNote, Skeleton } from '../../../parts/notices/notices.ts';
import type { BrowserEvents } from '../browser-events.ts';
import type { Kind } from './event-text.ts';
import { KindChips } from './kind-chips.tsx';
import { hiddenAtFirst } from './kinds.ts';
import './timeline.css';
import { type TimelineItem, timelineItems } from './timeline-items.ts';
import { TimelineLine } from './timeline-line.tsx';

export { type TimelineItem, timelineItems } from './timeline-items.ts';

export interface TimelineProps {
  browser: Browser;
  known: BrowserEvents;
  /** Beside the viewer the newest line is on top; beside a video, time runs down. */
  newestFirst?: boolean;
  /** The line of the moment that the video shows. */
  currentKey?: string | undefined;
  /** Called for a line that was opened and whose moment is recorded. */
  onPick: (item: TimelineItem) => void;
  isCovered: (item: TimelineItem) => boolean;
}

export function Timeline(props: TimelineProps) {
  const { browser, known, newestFirst = false, currentKey, onPick, isCovered } = props;
  const [hidden, setHidden] = useState<ReadonlySet<Kind>>(new Set(hiddenAtFirst));
  const [open, setOpen] = useState<string>();
  const items = useMemo(() => timelineItems(known.events), [known.events]);
  const shown = items.filter(({ kind }) => !hidden.has(kind));
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => keepVisible(list.current, currentKey), [currentKey]);
  const ordered = newestFirst ? shown.toReversed() : shown;
  return (
    <section className="panel timeline" aria-label="Timeline">
      <header className="panel-head">
        <h2>Timeline</h2>
        <span className="faint">{known.cut ? 'the latest' : `${items.length} lines`}</span>
      </header>
      <KindChips items={items} hidden={hidden} onHidden={setHidden} />
      {known.error !== undefined && <ErrorNote error={known.error} onRetry={known.retry} />}
      {known.loading && <Skeleton rows={5} label="Loading events" />}
      {!known.loading && ordered.length === 0 && (
        <Empty icon="clock" title="Nothing to show">
          {items.length > 0 ? 'All event types are hidden.' : 'Events show up here as they happen.'}
        </Empty>
      )}
      <ol className="timeline-lines" ref={list}>
        {ordered.map((item) => (
          <TimelineLine
            key={item.key}
            browser={browser}
            item={item}
            isCurrent={item.key === currentKey}
            isOpen={item.key === open}
            isCovered={isCovered(item)}
            onPick={() => {
              const opens = item.key !== open;
              setOpen(opens ? item.key : undefined);
              if (opens && isCovered(item)) onPick(item);
            }}
          />
        ))}
      </ol>
    </section>
  );
}

/** Scrolls the list, and never the page. */
function keepVisible(list: HTMLOListElement | null, key: string | undefined): void {
  const line = key && list?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  if (!list || !line) return;
  const top = line.offsetTop - list.offsetTop;
  const isVisible = top >= list.scrollTop && top + line.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isVisible) list.scrollTop = top - list.clientHeight / 3;
}
