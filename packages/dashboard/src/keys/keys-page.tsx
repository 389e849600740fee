import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { AdminsOnly } from '../parts/admins-only.tsx';
import { Badge } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Empty } from '../parts/empty.tsx';
import { ListedItems, useListed } from '../parts/listed.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Untrusted } from '../parts/untrusted.tsx';
import { queryKeys } from '../query.ts';
import { useClient, useSession } from '../session.tsx';
import { Page } from '../shell/page.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

const facts: readonly Column<api.Key>[] = [
  { head: 'Name', grows: true, cell: ({ name }) => <Untrusted text={name} /> },
  {
    head: 'Role',
    cell: ({ role }) => <Badge tone={role === 'admin' ? 'busy' : 'calm'}>{role}</Badge>,
  },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="faint">never</span>),
  },
  {
    head: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : <span className="faint">never</span>),
  },
];

export function KeysPage() {
  const { role } = useSession();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<api.CreatedKey>();
  const isAdmin = role === 'admin';
  return (
    <Page
      title="API keys"
      lead="Whoever has a key uses the browsers of this project; an admin key manages keys and webhooks too."
      actions={
        isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            New key
          </Button>
        )
      }
    >
      {isAdmin ? <KeyTable /> : <AdminsOnly what="API keys" />}
      {creating && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
          }}
        />
      )}
      {created && (
        <SecretDialog
          title="The new key"
          what="key"
          secret={created.key}
          about="Send it with every request: Authorization: Bearer, and the key."
          onClose={() => setCreated(undefined)}
        />
      )}
    </Page>
  );
}

function KeyTable() {
  const client = useClient();
  const [revoking, setRevoking] = useState<api.Key>();
  const list = useListed(queryKeys.keys, (signal) => client.keys.list({ limit: 50, signal }));
  const columns: readonly Column<api.Key>[] = [
    ...facts,
    {
      head: 'Actions',
      end: true,
      cell: (key) => (
        <div>
          <CopyButton text={key.id} what="id" />
          <Button
            small
            kind="quiet"
            icon="bin"
            aria-label={`Revoke ${key.name}`}
            onClick={() => setRevoking(key)}
          />
        </div>
      ),
    },
  ];
  return (
    <>
      <ListedItems list={list} empty={<Empty icon="keys" title="No keys" />}>
        {(keys) => (
          <div className="panel">
            <Table label="API keys" columns={columns} rows={keys} keyOf={({ id }) => id} />
          </div>
        )}
      </ListedItems>
      {revoking && <RevokeKeyDialog revoked={revoking} onClose={() => setRevoking(undefined)} />}
    </>
  );
}
