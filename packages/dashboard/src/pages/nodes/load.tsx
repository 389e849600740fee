/** How full a node is: the bar only helps, the numbers say it. */
import type { api } from '@browserd/sdk';

export function Load({ node: { state, browsers } }: { node: api.Node }) {
  if (state === 'gone') return <span className="faint">none</span>;
  const { used, limit, warm } = browsers;
  return (
    <div className="load">
      <span>
        {used} of {limit} {warm > 0 && <span className="faint">· {warm} warm</span>}
      </span>
      <progress
        className="level"
        value={used}
        max={Math.max(limit, 1)}
        aria-label={`${used} of ${limit} browsers in use`}
      />
    </div>
  );
}
