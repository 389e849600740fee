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

const stillHere = 'Files, downloads, recordings and events stay available until they expire.';

const texts: Partial<Record<api.BrowserStatus, (record: api.Browser) => ReactNode>> = {
  creating: ({ queue }) =>
    queue
      ? `Queued at position ${queue.position}, about ${duration(queue.expectedWaitMs)} to go.`
      : 'Starting up.',
  stopping: () => 'Stopping and saving state.',
  stopped: ({ stoppedAt }) => (
    <>
      Stopped {stoppedAt && <Time at={stoppedAt} />}. Tabs, cookies, storage and files are kept. Resume the
      browser to continue.
    </>
  ),
  resuming: () => 'Resuming: tabs and state are being restored.',
  recovering: () => 'Chromium quit unexpectedly. The browser is being restored to its last saved state.',
  closing: () => 'Closing.',
  closed: ({ closedAt }) => (
    <>
      Closed {closedAt && <Time at={closedAt} />}. {stillHere}
    </>
  ),
  failed: () => <>The browser failed and is no longer running. {stillHere}</>,
};
