/** The files that a run of a script left, where its line of the timeline is open. */
import type { Browser } from '@browserd/sdk';
import { OpenTraceButton, SaveButton } from '../../../parts/files/files.ts';
import type { TimelineItem } from './timeline-items.ts';

export function RunFiles({ browser, files }: { browser: Browser; files: TimelineItem['files'] }) {
  const { traceFileId, bundleFileId } = files ?? {};
  if (!traceFileId && !bundleFileId) return null;
  return (
    <div className="timeline-files">
      {traceFileId && (
        <OpenTraceButton
          label="Open the trace"
          labelled
          fetch={(signal) => browser.files.content(traceFileId, { signal })}
        />
      )}
      {bundleFileId && (
        <SaveButton
          name="bundle.zip"
          label="Save the bundle"
          labelled
          fetch={(signal) => browser.files.content(bundleFileId, { signal })}
        />
      )}
    </div>
  );
}
