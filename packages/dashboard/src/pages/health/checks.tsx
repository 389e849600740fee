/** The readiness checks of the service, with the numbers behind them. */
import type { api } from '@browserd/sdk';
import { Badge } from '../../parts/notices/notices.ts';
import { size, Untrusted } from '../../parts/text/text.ts';

type Checks = NonNullable<api.Readiness['checks']>;
const labels: Record<keyof Checks, string> = {
  store: 'Store',
  chromium: 'Chromium',
  sandbox: 'Sandbox',
  disk: 'Disk',
  capacity: 'Capacity',
  lease: 'Lease',
};

/** The number that belongs to a check. */
function extra(name: keyof Checks, check: api.HealthCheck): string {
  const { pool, freeBytes, isolation, nodes } = check as Partial<{
    pool: { warm: number; wanted: number };
    freeBytes: number;
    isolation: string;
    nodes: number;
  }>;
  if (name === 'chromium' && pool) return `${pool.warm} of ${pool.wanted} warm`;
  if (name === 'disk' && freeBytes !== undefined) return `${size(freeBytes)} free`;
  if (name === 'sandbox' && isolation) return `isolation ${isolation}`;
  if (name === 'lease' && nodes !== undefined) return nodes === 1 ? '1 node' : `${nodes} nodes`;
  return '';
}

export function Checks({ checks }: { checks: Checks }) {
  const shown = (Object.keys(labels) as (keyof Checks)[]).flatMap((name) => {
    const check = checks[name];
    return check ? [{ name, check }] : [];
  });
  return (
    <section className="panel" aria-label="Checks">
      <ul className="checks">
        {shown.map(({ name, check }) => (
          <li key={name}>
            <h2>{labels[name]}</h2>
            <Badge tone={check.ok ? 'good' : 'bad'}>{check.ok ? 'ok' : 'failing'}</Badge>
            <Untrusted text={check.detail} className="soft" />
            <span className="faint">{extra(name, check)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
