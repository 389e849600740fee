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
                  ? 'Start one here, or create the browser with recording on.'
                  : 'This browser was not recorded, or its recordings are past their time.'}
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
          <p>This one is being recorded now.</p>
          <p className="soft">Its video is made when it is stopped, or when the browser is.</p>
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
