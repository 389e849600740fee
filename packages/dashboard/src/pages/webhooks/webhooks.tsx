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
      lead="Addresses that are told of events, signed after Standard Webhooks and retried until they answer."
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
          title="The secret of the webhook"
          what="secret"
          secret={created.secret}
          about="Check the signature of each delivery with it: verifyWebhook of @browserd/sdk does, and so does any Standard Webhooks library."
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
    <Empty icon="webhooks" title="No webhook yet">
      Add an address, and it is told when browsers start, stop or fail, when downloads finish, when a person
      is needed.
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
