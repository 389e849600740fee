/**
 * The position in a video: a range input, and above it a mark for each event. The marks are decoration; the events
 * themselves are in the list beside the video.
 */
import type { TimelineItem } from '../timeline/timeline.tsx';

export interface Mark extends Pick<TimelineItem, 'key' | 'kind' | 'tone'> {
  seconds: number;
  lengthSeconds: number;
}

const unitsWide = 1000;
const leastWide = 3;

export function Scrubber(props: {
  seconds: number;
  duration: number;
  marks: readonly Mark[];
  says: string;
  onSeek: (seconds: number) => void;
}) {
  const { seconds, duration, marks, says, onSeek } = props;
  const scale = duration > 0 ? unitsWide / duration : 0;
  return (
    <div className="scrubber">
      <svg
        className="scrubber-marks"
        viewBox={`0 0 ${unitsWide} 10`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {marks.map(({ key, kind, tone, seconds: at, lengthSeconds }) => (
          <rect
            key={key}
            className={`mark mark-${kind} tone-${tone}`}
            x={at * scale}
            y="0"
            width={Math.max(lengthSeconds * scale, leastWide)}
            height="10"
          />
        ))}
      </svg>
      <input
        type="range"
        min="0"
        max={duration || 1}
        step="0.05"
        value={Math.min(seconds, duration || 1)}
        aria-label="Position in the recording"
        aria-valuetext={says}
        onChange={({ target }) => onSeek(Number(target.value))}
      />
    </div>
  );
}
