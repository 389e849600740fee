/** Errors that pages wrote to their console, or threw and did not catch. Newest first. */
import type { api } from '@browserd/sdk';
import { Empty, ErrorNote } from '../../../parts/notices/notices.ts';
import { Panel } from '../../../parts/panel.tsx';
import { clock, LongText } from '../../../parts/text/text.ts';
import type { BrowserEvents } from '../browser-events.ts';

export function ConsolePanel({ known }: { known: BrowserEvents }) {
  const errors = known.events.filter(({ type }) => type === 'console.error').toReversed();
  return (
    <Panel title="Console" aside={<span className="faint">errors only</span>}>
      {known.error !== undefined && <ErrorNote error={known.error} onRetry={known.retry} />}
      {errors.length === 0 ? (
        <Empty icon="check" title="No errors">
          Errors that pages write to the console show up here.
        </Empty>
      ) : (
        <ol className="log">
          {errors.map((event) => (
            <Line key={event.id} {...event} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Line({ at, data }: api.Event) {
  const { text, url, line, column, kind, suppressed } = data;
  if (typeof suppressed === 'number')
    return <li className="soft">{suppressed} more errors came too fast to be listed.</li>;
  const place = [url, line, column].filter((part) => part !== undefined && part !== '').join(':');
  return (
    <li>
      <time dateTime={at}>{clock.format(new Date(at))}</time>
      <div>
        {kind === 'uncaught' && <b>Uncaught </b>}
        <LongText text={String(text ?? '')} />
        {place && <bdi className="faint log-place">{place.slice(0, 500)}</bdi>}
      </div>
    </li>
  );
}
