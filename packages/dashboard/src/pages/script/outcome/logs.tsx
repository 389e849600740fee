/** The log lines of a run. */
import type { api } from '@browserd/sdk';
import { LongText } from '../../../parts/text/text.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hour12: false });

export function Logs({ logs }: { logs: api.ScriptExecution['logs'] }) {
  if (logs.length === 0) return null;
  return (
    <>
      <h3>Logs</h3>
      <ol className="log">
        {logs.map(({ level, text, at }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes, with lines that may be equal
          <li key={index} className={`log-${level}`}>
            <time dateTime={at}>{clock.format(new Date(at))}</time>
            <div>
              {level !== 'log' && <b>{level} </b>}
              <LongText text={text} />
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
