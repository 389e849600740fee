/** The list of recent scripts, to load one again. */
import { Time } from '../../parts/text/text.ts';
import { type RecentScript, titleOf } from './recent-scripts.ts';

export function RecentScripts(props: {
  scripts: readonly RecentScript[];
  onPick: (script: RecentScript) => void;
}) {
  const { scripts, onPick } = props;
  if (scripts.length === 0) return null;
  return (
    <details className="recent">
      <summary>Recent scripts ({scripts.length})</summary>
      <ul className="plain-list">
        {scripts.map((script) => (
          <li key={script.at}>
            <button type="button" className="button quiet small" onClick={() => onPick(script)}>
              <code className="untrusted">{titleOf(script)}</code>
            </button>
            <span className="faint">
              <Time at={script.at} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
