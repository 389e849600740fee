/** The secrets of the project. Members see which there are, admins put them in; their values are shown to no key. */
import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { Badge, Empty } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { useClient, useSession } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { CreateSecretDialog } from './create-secret-dialog.tsx';
import { DeleteSecretDialog } from './delete-secret-dialog.tsx';

const facts: readonly Column<api.Secret>[] = [
  { head: 'Name', grows: true, cell: ({ name }) => <Untrusted text={name} /> },
  {
    head: 'Kind',
    cell: ({ kind }) => <Badge tone="calm">{kind === 'totp' ? 'code by time' : 'value'}</Badge>,
  },
  { head: 'Typed at', grows: true, cell: ({ origins }) => <Untrusted text={origins.join(', ')} /> },
  { head: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  {
    head: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : <span className="faint">never</span>),
  },
];

export function SecretsPage() {
  const { role } = useSession();
  const [creating, setCreating] = useState(false);
  const isAdmin = role === 'admin';
  return (
    <Page
      title="Secrets"
      lead="Passwords and codes that browserd types into pages of the sites they belong to. Scripts use them by name; their values are never shown."
      actions={
        isAdmin && (
          <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
            New secret
          </Button>
        )
      }
    >
      <SecretTable isAdmin={isAdmin} />
      {creating && <CreateSecretDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function SecretTable({ isAdmin }: { isAdmin: boolean }) {
  const client = useClient();
  const [deleting, setDeleting] = useState<api.Secret>();
  const list = useListed(queryKeys.secrets, (signal) => client.secrets.list({ limit: 50, signal }));
  const columns: readonly Column<api.Secret>[] = [
    ...facts,
    {
      head: 'Actions',
      end: true,
      cell: (secret) => (
        <div>
          <CopyButton text={secret.name} what="name" />
          {isAdmin && (
            <Button
              small
              kind="quiet"
              icon="bin"
              aria-label={`Delete ${secret.name}`}
              onClick={() => setDeleting(secret)}
            />
          )}
        </div>
      ),
    },
  ];
  return (
    <>
      <ListedItems list={list} empty={<Empty icon="shield" title="No secrets" />}>
        {(secrets) => (
          <div className="panel">
            <Table label="Secrets" columns={columns} rows={secrets} keyOf={({ id }) => id} />
          </div>
        )}
      </ListedItems>
      {deleting && <DeleteSecretDialog deleted={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
