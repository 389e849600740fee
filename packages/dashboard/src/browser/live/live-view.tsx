import type { api, Browser } from '@browserd/sdk';
import { useState } from 'react';
import { Empty } from '../../parts/empty.tsx';
import type { BrowserEvents } from '../browser-events.ts';
import { DialogsBar } from '../panels/dialogs-bar.tsx';
import { RecordButton } from '../replay/record-button.tsx';
import { useRecordings } from '../replay/use-recordings.ts';
import { placeOf } from '../replay/video-time.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { HandoffBar } from './handoff-bar.tsx';
import type { LiveMode } from './live-address.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { Watched } from './watched.tsx';

/** The browser as it is now, and beside it what happened. */
export function LiveView(props: {
  browser: Browser;
  record: api.Browser;
  known: BrowserEvents;
  onReplay: (at: number) => void;
}) {
  const { browser, record, known, onReplay } = props;
  const isReady = record.status === 'ready';
  const [mode, setMode] = useState<LiveMode>('control');
  const recordings = useRecordings(browser).data ?? [];
  const isCovered = ({ at }: { at: number }): boolean => placeOf(recordings, at)?.recording.state === 'ready';
  return (
    <div className="beside">
      <section className="panel live" aria-label="Live view">
        <header className="panel-head">
          <h2>Live</h2>
          {isReady && (
            <div className="row">
              <ModeSwitch mode={mode} onMode={setMode} />
              <RecordButton browser={browser} />
            </div>
          )}
        </header>
        {isReady ? (
          <>
            <HandoffBar browser={browser} />
            {/* who drives answers them in the frame */}
            {mode === 'view' && <DialogsBar browser={browser} />}
            <Watched key={mode} browser={browser} mode={mode} />
          </>
        ) : (
          <div className="panel-body">
            <Empty icon="eye" title="Nothing to watch">
              {`The browser is ${record.status}; there are pictures while it is ready.`}
            </Empty>
          </div>
        )}
      </section>
      <Timeline known={known} newestFirst isCovered={isCovered} onPick={({ at }) => onReplay(at)} />
    </div>
  );
}
