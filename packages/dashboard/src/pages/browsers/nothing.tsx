/** What the list shows while it is loading, and when it has nothing to show. */
import { Empty } from '../../parts/notices/notices.ts';

export function Nothing({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <Empty icon="search" title="No matching browsers">
        Try another filter or a different search.
      </Empty>
    );
  return (
    <Empty icon="browsers" title="No browsers yet">
      Create one here or through the API. It shows up right away.
    </Empty>
  );
}

export function CardSkeletons() {
  return (
    <div className="cards" role="status" aria-label="Loading browsers">
      {['first', 'second', 'third'].map((name) => (
        <span key={name} className="card skeleton-card" />
      ))}
    </div>
  );
}
