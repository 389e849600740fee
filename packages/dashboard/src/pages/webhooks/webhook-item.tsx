/** A webhook: its address, its state, its actions, and its deliveries on demand. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { Confirm } from '../../parts/dialogs/dialogs.ts';
import { Badge, useToast } from '../../parts/notices/notices.ts';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { Deliveries } from './deliveries.tsx';

type Action = 'test' | 'pause' | 'enable' | 'delete';

const done: Record<Action, string> = {
  test: 'Test sent. See its delivery for the response.',
  pause: 'Webhook paused.',
  enable: 'Webhook enabled. New events are sent from now on.',
  delete: 'Webhook deleted.',
};

function useActions(webhook: api.Webhook, onDone: (action: Action) => void) {
  const { webhooks } = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const acts: Record<Action, () => Promise<unknown>> = {
    test: () => webhooks.test(webhook.id),
    pause: () => webhooks.update(webhook.id, { status: 'disabled' }),
    enable: () => webhooks.update(webhook.id, { status: 'enabled' }),
    delete: () => webhooks.delete(webhook.id),
  };
  const refreshed = () => queries.invalidateQueries({ queryKey: queryKeys.webhooks });
  return useMutation({
    mutationFn: (action: Action) => acts[action](),
    onSuccess: async (_, action) => {
      await refreshed();
      toast.say(done[action]);
      onDone(action);
    },
    onError: (error, action) => {
      if (action !== 'delete') toast.error(error);
      return refreshed();
    },
  });
}

export function WebhookItem({ webhook }: { webhook: api.Webhook }) {
  const [open, setOpen] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const action = useActions(webhook, (which) => {
    if (which === 'test') setOpen(true);
    if (which === 'delete') setDeleting(false);
  });
  const busy = (which: Action): boolean => action.isPending && action.variables === which;
  const enabled = webhook.status === 'enabled';
  return (
    <li className="panel">
      <div className="webhook-head">
        <div className="webhook-facts">
          <h2>
            <Untrusted text={webhook.url} />
          </h2>
          {webhook.description && <Untrusted text={webhook.description} className="soft" />}
          <p className="tags">
            {webhook.events.length === 0 ? <code>all events</code> : null}
            {webhook.events.map((pattern) => (
              <code key={pattern}>{pattern}</code>
            ))}
          </p>
          <Standing webhook={webhook} />
        </div>
        <div className="webhook-actions">
          <Button small busy={busy('test')} onClick={() => action.mutate('test')} disabled={!enabled}>
            Send test
          </Button>
          {enabled ? (
            <Button small busy={busy('pause')} onClick={() => action.mutate('pause')}>
              Pause
            </Button>
          ) : (
            <Button small busy={busy('enable')} onClick={() => action.mutate('enable')}>
              Enable
            </Button>
          )}
          <Button
            small
            kind="quiet"
            icon="bin"
            aria-label={`Delete ${webhook.url}`}
            onClick={() => setDeleting(true)}
          />
        </div>
      </div>
      <Button
        small
        kind="quiet"
        className="webhook-more"
        icon={open ? 'down' : 'right'}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Deliveries
      </Button>
      {open && <Deliveries webhookId={webhook.id} />}
      {deleting && (
        <Confirm
          title="Delete this webhook?"
          action="Delete webhook"
          busy={busy('delete')}
          error={action.error}
          onConfirm={() => action.mutate('delete')}
          onClose={() => setDeleting(false)}
        >
          <p>
            <strong>
              <Untrusted text={webhook.url} />
            </strong>
          </p>
          <p>
            No more events are sent to it, including deliveries that are waiting. Its delivery history is
            deleted too.
          </p>
        </Confirm>
      )}
    </li>
  );
}

function Standing({ webhook }: { webhook: api.Webhook }) {
  const { status, disabledReason, disabledAt, failingSince, createdAt } = webhook;
  return (
    <p className="webhook-standing">
      {status === 'disabled' ? (
        <Badge tone="calm">paused</Badge>
      ) : (
        <Badge tone={failingSince ? 'bad' : 'good'}>{failingSince ? 'failing' : 'enabled'}</Badge>
      )}
      <span className="faint">
        {status === 'disabled' && disabledAt ? (
          <>
            since <Time at={disabledAt} />
          </>
        ) : failingSince ? (
          <>
            since <Time at={failingSince} />
          </>
        ) : (
          <>
            created <Time at={createdAt} />
          </>
        )}
      </span>
      {disabledReason && <Untrusted text={disabledReason} className="soft" />}
    </p>
  );
}
