/** How many browsers are in use, and how many requests wait for one. */
import type { api } from '@browserd/sdk';

export function Capacity({ check }: { check: api.HealthCheck }) {
  const { used = 0, max = 0, waiting = 0 } = check as Partial<Record<'used' | 'max' | 'waiting', number>>;
  if (max === 0) return null;
  const queue = waiting === 0 ? 'queue empty' : waiting === 1 ? '1 queued' : `${waiting} queued`;
  return (
    <section className="panel capacity" aria-label="Capacity">
      <p>
        <strong>{used}</strong> of {max} browsers in use <span className="faint">· {queue}</span>
      </p>
      <progress className="level" value={used} max={max} aria-label={`${used} of ${max} browsers in use`} />
    </section>
  );
}
