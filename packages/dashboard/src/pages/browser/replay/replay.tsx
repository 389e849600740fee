/**
 * The section Replay: timeline and player follow each other.
 *
 *   timeline ── click ──> the recording that covers the moment, and the second in it ──> player
 *      ^                                                                                   │
 *      └───────────────────── the line of the moment <── position ─────────────────────────┘
 */
import type { Browser } from '@browserd/sdk';
import { useMemo, useState } from 'react';
import type { BrowserEvents } from '../browser-events.ts';
import { Timeline, type TimelineItem, timelineItems } from '../timeline/timeline.tsx';
import { Player, type Seek } from './player.tsx';
import './replay.css';
import { RecordingPanel } from './recording-panel.tsx';
import type { Mark } from './scrubber.tsx';
import { useRecordings } from './use-recordings.ts';
import { durationOf, momentOf, placeOf } from './video-time.ts';

export { RecordButton } from './record-button.tsx';
export { useRecordings } from './use-recordings.ts';
export { placeOf } from './video-time.ts';

export function ReplaySection(props: {
  browser: Browser;
  known: BrowserEvents;
  canRecord: boolean;
  /** A moment to begin at, picked elsewhere. */
  startAt?: number | undefined;
}) {
  const { browser, known, canRecord, startAt } = props;
  const query = useRecordings(browser);
  const recordings = query.data ?? [];
  const items = useMemo(() => timelineItems(known.events), [known.events]);
  const [picked, setPicked] = useState<TimelineItem>();
  const [chosenId, setChosenId] = useState<string>();
  const [seconds, setSeconds] = useState(0);
  const moment = picked ? seenAt(picked) : chosenId === undefined ? startAt : undefined;
  const place = moment === undefined ? undefined : placeOf(recordings, moment);
  const chosen =
    place?.recording ??
    recordings.find(({ id }) => id === chosenId) ??
    recordings.find(({ state }) => state === 'ready') ??
    recordings[0];
  const seek: Seek | undefined = place && { seconds: place.seconds, request: picked ?? startAt };
  const marks = chosen ? marksOf(items, momentOf(chosen, 0), durationOf(chosen)) : [];
  // the picked line, as long as the video is at its position
  const isThere = picked && place && Math.abs(place.seconds - seconds) < 0.1;
  const current = isThere ? picked.key : lineAt(marks, seconds);
  return (
    <div className="beside">
      <RecordingPanel
        browser={browser}
        query={query}
        chosen={chosen}
        canRecord={canRecord}
        onChoose={(id) => {
          setPicked(undefined);
          setChosenId(id);
          setSeconds(0);
        }}
      >
        {chosen?.state === 'ready' && (
          <Player
            key={chosen.id}
            browser={browser}
            recording={chosen}
            marks={marks}
            seek={seek}
            onSeconds={setSeconds}
          />
        )}
      </RecordingPanel>
      <Timeline
        browser={browser}
        known={known}
        currentKey={chosen?.state === 'ready' ? current : undefined}
        isCovered={({ at }) => placeOf(recordings, at) !== undefined}
        onPick={(item) => setPicked({ ...item })}
      />
    </div>
  );
}

/** A page is on the screen a moment after the browser went to it. */
const paintMs = 400;
const seenAt = ({ at, kind }: TimelineItem): number => (kind === 'page' ? at + paintMs : at);

const marksOf = (items: readonly TimelineItem[], from: number, durationMs: number): Mark[] =>
  items
    .filter(({ at }) => at >= from && at <= from + durationMs)
    .map(({ key, kind, tone, at, endedAt = at }) => ({
      key,
      kind,
      tone,
      seconds: (at - from) / 1000,
      lengthSeconds: (Math.min(endedAt, from + durationMs) - at) / 1000,
    }));

/** A little ahead, because a seek ends on the picture at or before its moment. */
const lineAt = (marks: readonly Mark[], seconds: number): string | undefined =>
  marks.findLast((mark) => mark.seconds <= seconds + 0.05)?.key;
