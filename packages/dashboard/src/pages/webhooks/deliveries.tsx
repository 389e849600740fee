/** Deliveries of a webhook, newest first, with every attempt; polled while they are shown. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { Badge, type Tone, useToast } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { duration, Time, Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

const tones: Record<api.Delivery['state'], Tone> = { pending: 'busy', delivered: 'good', failed: 'bad' };

export function Deliveries({ webhookId }: { webhookId: string }) {
  const client = useClient();
  const list = useListed(
    [...queryKeys.webhooks, webhookId, 'deliveries'],
    (signal) => client.webhooks.deliveries(webhookId, { limit: 10 }, { signal }),
    { refetchInterval: 3000 },
  );
  const [opened, setOpened] = useState<string>();
  const columns: readonly Column<api.Delivery>[] = [
    { head: 'Event', grows: true, cell: ({ eventType }) => <code>{eventType}</code> },
    { head: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
    { head: 'Sent', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: 'Next try', cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Time at={nextAttemptAt} /> : '–') },
    {
      head: 'Actions',
      end: true,
      cell: (delivery) => (
        <div>
          <Button
            small
            kind="quiet"
            icon={opened === delivery.id ? 'down' : 'right'}
            aria-expanded={opened === delivery.id}
            onClick={() => setOpened(opened === delivery.id ? undefined : delivery.id)}
          >
            {delivery.attempts.length === 1 ? '1 attempt' : `${delivery.attempts.length} attempts`}
          </Button>
          <Redeliver delivery={delivery} />
        </div>
      ),
    },
  ];
  return (
    <div className="deliveries">
      <ListedItems list={list} empty={<p className="faint">Nothing was sent yet.</p>}>
        {(deliveries) => (
          <Table
            label="Deliveries"
            columns={columns}
            rows={deliveries}
            keyOf={({ id }) => id}
            detail={(delivery) => opened === delivery.id && <Attempts attempts={delivery.attempts} />}
          />
        )}
      </ListedItems>
    </div>
  );
}

function Redeliver({ delivery }: { delivery: api.Delivery }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const again = useMutation({
    mutationFn: () => client.webhooks.redeliver(delivery.webhookId, delivery.id),
    onSuccess: () => toast.say('It is sent again.'),
    onError: (error) => toast.error(error),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.webhooks }),
  });
  return (
    <Button
      small
      kind="quiet"
      icon="refresh"
      busy={again.isPending}
      disabled={delivery.state === 'pending'}
      aria-label={`Send ${delivery.eventType} again`}
      title="Send again"
      onClick={() => again.mutate()}
    />
  );
}

function Attempts({ attempts }: Pick<api.Delivery, 'attempts'>) {
  if (attempts.length === 0) return <p className="faint">Not tried yet.</p>;
  return (
    <ol className="attempts">
      {attempts.map(({ at, durationMs, statusCode, error }) => (
        <li key={at}>
          <Time at={at} />
          <span className="faint">{duration(durationMs)}</span>
          <span>{statusCode === undefined ? 'no answer' : `HTTP ${statusCode}`}</span>
          {error && <Untrusted text={error} className="soft" />}
        </li>
      ))}
    </ol>
  );
}
