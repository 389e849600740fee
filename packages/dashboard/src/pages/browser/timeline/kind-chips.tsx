/** Filters of the timeline: a chip for each kind of event, with the number of its lines. */
import { Icon } from '../../../parts/controls/controls.ts';
import type { Kind } from './event-text.ts';
import { kinds } from './kinds.ts';
import type { TimelineItem } from './timeline-items.ts';

export function KindChips(props: {
  items: readonly TimelineItem[];
  hidden: ReadonlySet<Kind>;
  onHidden: (hidden: ReadonlySet<Kind>) => void;
}) {
  const { items, hidden, onHidden } = props;
  const counts = Map.groupBy(items, ({ kind }) => kind);
  const toggle = (kind: Kind): void => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onHidden(next);
  };
  return (
    <fieldset className="chips">
      <legend className="for-readers">Event types to show</legend>
      {(Object.keys(kinds) as Kind[])
        .filter((kind) => counts.has(kind))
        .map((kind) => (
          <button
            key={kind}
            type="button"
            className="chip"
            aria-pressed={!hidden.has(kind)}
            onClick={() => toggle(kind)}
          >
            <Icon name={kinds[kind].icon} size={13} />
            {kinds[kind].label} <span className="faint">{counts.get(kind)?.length}</span>
          </button>
        ))}
    </fieldset>
  );
}
