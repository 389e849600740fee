/** The recordings of a browser as a list, each to play, save or delete. */
import type { api, Browser } from '@browserd/sdk';
import { Button } from '../../../parts/controls/controls.ts';
import { SaveButton } from '../../../parts/files/files.ts';
import { Badge, type Tone } from '../../../parts/notices/notices.ts';
import { duration, size } from '../../../parts/text/text.ts';
import { DeleteButton } from '../panels/panels.ts';
import { durationOf } from './video-time.ts';

const tones: Record<api.Recording['state'], Tone> = {
  recording: 'bad',
  finalizing: 'busy',
  ready: 'good',
  failed: 'warning',
};
const began = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'medium' });

export function Segments(props: {
  browser: Browser;
  recordings: readonly api.Recording[];
  chosenId: string | undefined;
  onChoose: (id: string) => void;
}) {
  const { browser, recordings, chosenId, onChoose } = props;
  return (
    <ul className="segments" aria-label="Segments">
      {recordings.map((recording) => {
        const { id, state, startedAt, epoch } = recording;
        const name = `recording of ${began.format(new Date(startedAt))}`;
        return (
          <li key={id} className={id === chosenId ? 'chosen' : undefined}>
            <Button
              small
              kind="quiet"
              icon="play"
              aria-pressed={id === chosenId}
              onClick={() => onChoose(id)}
            >
              {began.format(new Date(startedAt))}
            </Button>
            <Badge tone={tones[state]}>{state}</Badge>
            <span className="soft">
              {duration(durationOf(recording))}
              {state === 'ready' && ` · ${size(recording.size)}`} · epoch {epoch}
            </span>
            <span className="row-end">
              {state === 'ready' && (
                <SaveButton
                  name={`${id}.webm`}
                  label={`Save the ${name}`}
                  fetch={(signal) => browser.recordings.content(id, { signal })}
                />
              )}
              {(state === 'ready' || state === 'failed') && (
                <DeleteButton
                  what={name}
                  part="recordings"
                  browserId={browser.id}
                  remove={() => browser.recordings.delete(id)}
                />
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
