/** The chosen recording, or why it has no video, and the list of all recordings. */
import type { api, Browser } from '@browserd/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from '../../../data/data.ts';
import { Empty } from '../../../parts/notices/notices.ts';
import { RecordButton } from './record-button.tsx';
import { Segments } from './segments.tsx';

export function RecordingPanel(props: {
  browser: Browser;
  query: UseQueryResult<api.Recording[]>;
  chosen: api.Recording | undefined;
  canRecord: boolean;
  onChoose: (id: string) => void;
  children: ReactNode;
}) {
  const { browser, query, chosen, canRecord, onChoose, children } = props;
  return (
    <section className="panel replay" aria-label="Recordings">
      <header className="panel-head">
        <h2>Recordings</h2>
        {canRecord && <RecordButton browser={browser} />}
      </header>
      <div className="panel-body replay-body">
        <Loaded query={query} label="Loading recordings">
          {(recordings) =>
            recordings.length === 0 ? (
              <Empty icon="record" title="No recordings">
                {canRecord
                  ? 'Start recording here, or turn recording on when you create a browser.'
                  : 'This browser wasn’t recorded, or its recordings have expired.'}
              </Empty>
            ) : (
              <>
                {children}
                {chosen && chosen.state !== 'ready' && <NotYet {...chosen} />}
                <Segments
                  browser={browser}
                  recordings={recordings}
                  chosenId={chosen?.id}
                  onChoose={onChoose}
                />
              </>
            )
          }
        </Loaded>
      </div>
    </section>
  );
}

function NotYet({ state, reason }: api.Recording) {
  return (
    <div className="player-empty" role="status">
      {state === 'recording' && (
        <>
          <p>Recording now.</p>
          <p className="soft">The video is ready after you stop the recording or the browser.</p>
        </>
      )}
      {state === 'finalizing' && (
        <p>
          <span className="spinner" aria-hidden="true" /> The video is being made …
        </p>
      )}
      {state === 'failed' && <p>This recording failed: {reason ?? 'no reason is known'}.</p>}
    </div>
  );
}
