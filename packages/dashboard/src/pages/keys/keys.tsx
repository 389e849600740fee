/** The API keys of the project, for admins. */
import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { CopyButton, SecretDialog } from '../../parts/copy/copy.ts';
import { Badge, Empty } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { AdminsOnly, useClient, useSession } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
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
      lead="Anyone with a key can use this project’s browsers. Admin keys can also manage keys, secrets and webhooks."
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
          title="Your new key"
          what="key"
          secret={created.key}
          about="Send it with every request in the header Authorization: Bearer, followed by the key."
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
          <CopyButton text={key.id} what="ID" />
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
