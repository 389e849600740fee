/** The health of the service: checks and capacity for every key, charts for admins. */
import type { api } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { Badge, ErrorNote, Note, Skeleton } from '../../parts/notices/notices.ts';
import { duration } from '../../parts/text/text.ts';
import { useClient, useSession } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { Capacity } from './capacity.tsx';
import { Charts } from './charts.tsx';
import { Checks } from './checks.tsx';
import './health.css';

const everyMs = 3000;
const standing = { ready: 'good', not_ready: 'bad', draining: 'warning' } as const;

export function HealthPage() {
  const client = useClient();
  const { role } = useSession();
  const ready = useQuery({
    queryKey: ['health', 'ready'],
    queryFn: ({ signal }) => client.ready({ signal }),
    refetchInterval: everyMs,
  });
  const health = useQuery({
    queryKey: ['health', 'live'],
    queryFn: ({ signal }) => client.health({ signal }),
    refetchInterval: everyMs * 5,
  });
  return (
    <Page
      title="Health"
      lead={health.data ? <Lead health={health.data} /> : ' '}
      actions={<Standing ready={ready.data} />}
    >
      {ready.isError && <ErrorNote error={ready.error} onRetry={() => void ready.refetch()} />}
      {ready.isPending && <Skeleton rows={5} />}
      {ready.data?.checks && (
        <>
          <Checks checks={ready.data.checks} />
          <Capacity check={ready.data.checks.capacity} />
        </>
      )}
      {role === 'admin' ? (
        <Charts everyMs={everyMs} />
      ) : (
        <Note>
          <p>Charts need an admin key, because they cover all projects.</p>
        </Note>
      )}
    </Page>
  );
}

function Lead({ health }: { health: api.Health }) {
  return (
    <>
      browserd {health.version}, up for {duration(health.uptime)}
    </>
  );
}

function Standing({ ready }: { ready: api.Readiness | undefined }) {
  if (!ready) return null;
  return <Badge tone={standing[ready.status]}>{ready.status.replace('_', ' ')}</Badge>;
}
