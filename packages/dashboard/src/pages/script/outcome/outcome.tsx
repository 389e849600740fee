/** The outcome of a run. All of it may come from a page, and all of it is shown as text. */
import { ScriptError } from '@browserd/sdk';
import { Badge, ErrorNote, Skeleton } from '../../../parts/notices/notices.ts';
import { duration, jsonText, Untrusted, WebLink } from '../../../parts/text/text.ts';
import type { Run } from '../use-run.ts';
import { Logs } from './logs.tsx';
import { Observation } from './observation.tsx';
import { Screenshot } from './screenshot.tsx';
import { Trace } from './trace.tsx';

export function Outcome({ run, onRef }: { run: Run; onRef: (text: string) => void }) {
  const { phase, execution, error, browser } = run;
  if (phase === 'idle') return null;
  return (
    <section className="panel outcome" aria-label="Outcome" aria-busy={phase !== 'done'}>
      <header className="panel-head">
        <h2>Outcome</h2>
        <div role="status">
          {phase === 'starting' && <Badge tone="busy">starting browser</Badge>}
          {phase === 'running' && <Badge tone="busy">running</Badge>}
          {execution && (
            <Badge tone={execution.success ? 'good' : 'bad'}>
              {execution.success ? 'success' : 'failed'}
            </Badge>
          )}
          {error !== undefined && <Badge tone="bad">failed</Badge>}
        </div>
      </header>
      <div className="panel-body form">
        {phase !== 'done' && <Skeleton rows={2} label="Running the script" />}
        {error !== undefined && <ErrorNote error={error} />}
        {execution && (
          <>
            {execution.page && (
              <p className="outcome-page">
                <Untrusted text={execution.page.title || 'Untitled'} />
                <WebLink url={execution.page.url} className="faint" />
                <span className="faint">{duration(execution.durationMs)}</span>
              </p>
            )}
            {execution.success ? (
              <>
                <h3>Result</h3>
                <pre className="code-block outcome-result">{jsonText(execution.result)}</pre>
              </>
            ) : (
              <Failure error={new ScriptError(execution)} />
            )}
            <Logs logs={execution.logs} />
            {execution.screenshot && browser && (
              <Screenshot browser={browser} fileId={execution.screenshot.fileId} />
            )}
            {execution.trace && browser && <Trace browser={browser} {...execution.trace} />}
            {execution.observation && <Observation {...execution.observation} onRef={onRef} />}
          </>
        )}
      </div>
    </section>
  );
}

function Failure({ error }: { error: ScriptError }) {
  const { requestId: _, ...details } = error.details;
  return (
    <>
      <ErrorNote error={error} />
      {error.scriptStack && (
        <pre className="code-block outcome-stack">{error.scriptStack.slice(0, 10_000)}</pre>
      )}
      {Object.keys(details).length > 0 && (
        <details>
          <summary>Details</summary>
          <pre className="code-block">{jsonText(details)}</pre>
        </details>
      )}
    </>
  );
}
