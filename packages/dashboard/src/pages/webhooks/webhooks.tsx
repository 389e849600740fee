/** The webhooks of the project, for admins. */
import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { SecretDialog } from '../../parts/copy/copy.ts';
import { Empty } from '../../parts/notices/notices.ts';
import { AdminsOnly, useClient, useSession } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { WebhookItem } from './webhook-item.tsx';
import './webhooks.css';

export function WebhooksPage() {
  const { role } = useSession();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<api.CreatedWebhook>();
  const isAdmin = role === 'admin';
  return (
    <Page
      title="Webhooks"
      lead="Send events to your own URLs. Deliveries follow the Standard Webhooks signature scheme and are retried."
      actions={
        isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            New webhook
          </Button>
        )
      }
    >
      {isAdmin ? <WebhookList /> : <AdminsOnly what="Webhooks" />}
      {creating && (
        <CreateWebhookDialog
          onClose={() => setCreating(false)}
          onCreated={(webhook) => {
            setCreating(false);
            setCreated(webhook);
          }}
        />
      )}
      {created && (
        <SecretDialog
          title="Webhook secret"
          what="secret"
          secret={created.secret}
          about="Use it to verify the signature of each delivery, with verifyWebhook from @browserd/sdk or any Standard Webhooks library."
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
}

function WebhookList() {
  const client = useClient();
  const list = useListed(queryKeys.webhooks, (signal) => client.webhooks.list({ limit: 50, signal }), {
    refetchInterval: 15_000,
  });
  const empty = (
    <Empty icon="webhooks" title="No webhooks yet">
      Add a URL to be notified when browsers start, stop or fail, when downloads finish, or when a person is
      needed.
    </Empty>
  );
  return (
    <ListedItems list={list} empty={empty}>
      {(webhooks) => (
        <ul className="webhooks" aria-label="Webhooks">
          {webhooks.map((webhook) => (
            <WebhookItem key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
    </ListedItems>
  );
}
