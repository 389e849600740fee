/** Why a browser is not ready, and what is still available. */
import type { api } from '@browserd/sdk';
import type { ReactNode } from 'react';
import { Note } from '../../../parts/notices/notices.ts';
import { duration, Time, Untrusted } from '../../../parts/text/text.ts';

export function StatusNote({ record }: { record: api.Browser }) {
  const { status, statusReason } = record;
  const text = texts[status]?.(record);
  if (!text) return null;
  return (
    <Note kind={status === 'failed' || status === 'recovering' ? 'warning' : 'info'} icon="clock">
      {text}
      {statusReason && <Untrusted text={statusReason} className="status-reason" />}
    </Note>
  );
}

const stillHere = 'Its files, downloads, recordings and events are here until their time is up.';

const texts: Partial<Record<api.BrowserStatus, (record: api.Browser) => ReactNode>> = {
  creating: ({ queue }) =>
    queue
      ? `It waits for room: number ${queue.position} in line, about ${duration(queue.expectedWaitMs)} to go.`
      : 'It is being started.',
  stopping: () => 'It is being stopped; its state is saved.',
  stopped: ({ stoppedAt }) => (
    <>
      Stopped {stoppedAt && <Time at={stoppedAt} />}: nothing runs and nothing is filmed. Tabs, cookies,
      storage and files are kept; resume it to go on.
    </>
  ),
  resuming: () => 'It is being resumed: its tabs and state are put back.',
  recovering: () => 'Its Chromium ended unexpectedly. A new one takes over, with the state as last saved.',
  closing: () => 'It is being closed.',
  closed: ({ closedAt }) => (
    <>
      Closed {closedAt && <Time at={closedAt} />}; it cannot be resumed. {stillHere}
    </>
  ),
  failed: () => <>It failed, and nothing runs any more. {stillHere}</>,
};
