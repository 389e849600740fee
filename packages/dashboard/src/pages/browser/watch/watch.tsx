/** The section Live: the viewer, the driver, and the timeline beside them. */
import type { api, Browser } from '@browserd/sdk';
import { useCallback, useState } from 'react';
import { ChoiceChips } from '../../../parts/controls/controls.ts';
import { Empty } from '../../../parts/notices/notices.ts';
import { useTakeOverWish, Viewer, type ViewMode } from '../../../view/view.ts';
import type { BrowserEvents } from '../browser-events.ts';
import { DialogsBar } from '../panels/panels.ts';
import { placeOf, RecordButton, useRecordings } from '../replay/replay.tsx';
import { Timeline } from '../timeline/timeline.tsx';
import { HandoffBar } from './handoff-bar.tsx';

const modes: Record<ViewMode, string> = { control: 'Control', view: 'Watch only' };

export function WatchSection(props: {
  browser: Browser;
  record: api.Browser;
  known: BrowserEvents;
  onReplay: (at: number) => void;
}) {
  const { browser, record, known, onReplay } = props;
  const isReady = record.status === 'ready';
  const [mode, setMode] = useState<ViewMode>('control');
  const wished = useTakeOverWish(record.id);
  const [takeOver, setTakeOver] = useState(wished);
  const asked = useCallback(() => setTakeOver(false), []);
  const recordings = useRecordings(browser).data ?? [];
  const isCovered = ({ at }: { at: number }): boolean => placeOf(recordings, at)?.recording.state === 'ready';
  return (
    <div className="beside">
      <section className="panel live" aria-label="Live view">
        <header className="panel-head">
          <h2>Live</h2>
          {isReady && (
            <div className="row">
              <ChoiceChips
                legend="What the live view is for"
                choices={modes}
                value={mode}
                onValue={setMode}
              />
              <RecordButton browser={browser} />
            </div>
          )}
        </header>
        {isReady ? (
          <>
            <HandoffBar
              browser={browser}
              onTakeOver={() => {
                setMode('control');
                setTakeOver(true);
              }}
            />
            {/* in control mode the viewer itself shows them */}
            {mode === 'view' && <DialogsBar browser={browser} />}
            <Viewer
              key={mode}
              browser={browser}
              mode={mode}
              takeOver={takeOver && mode === 'control'}
              onAsked={asked}
            />
          </>
        ) : (
          <div className="panel-body">
            <Empty icon="eye" title="Nothing to watch">
              {`The browser is ${record.status}. The live view is available while it is ready.`}
            </Empty>
          </div>
        )}
      </section>
      <Timeline
        browser={browser}
        known={known}
        newestFirst
        isCovered={isCovered}
        onPick={({ at }) => onReplay(at)}
      />
    </div>
  );
}
