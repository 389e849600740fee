/** The trace of a run, which is a file of the browser, or why there is none. */
import type { api, Browser } from '@browserd/sdk';
import { OpenTraceButton, SaveButton } from '../../../parts/files/files.ts';
import { Untrusted } from '../../../parts/text/text.ts';

type Kept = NonNullable<api.ScriptExecution['trace']>;

export function Trace({ browser, fileId, omitted }: Kept & { browser: Browser }) {
  const fetch = (signal: AbortSignal) => browser.files.content(fileId ?? '', { signal });
  return (
    <>
      <h3>Trace</h3>
      {omitted && <Untrusted text={omitted} />}
      {fileId && (
        <div>
          <OpenTraceButton label="Open the trace" labelled fetch={fetch} />
          <SaveButton name="trace.zip" label="Save the trace" labelled fetch={fetch} />
        </div>
      )}
    </>
  );
}
