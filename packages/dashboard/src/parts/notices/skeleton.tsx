/** Grey bars of the size of the content that is loading, so that nothing jumps when it appears. */
export function Skeleton({ rows = 3, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal bars without a life of their own
        <span key={row} className="bar" />
      ))}
    </div>
  );
}
