/** The dialog for a new API key. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { FormDialog } from '../../parts/dialogs/dialogs.ts';
import { issuesOf, Select, sortIssues, TextField } from '../../parts/forms/forms.ts';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';

interface Props {
  onClose(): void;
  onCreated(key: api.CreatedKey): void;
}

const lives = [
  { value: '', label: 'Never' },
  { value: '1', label: 'In a day' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;
const roles = [
  { value: 'member', label: 'Member: can use browsers' },
  { value: 'admin', label: 'Admin: can also manage keys, secrets and webhooks' },
] as const;
const dayMs = 86_400_000;

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const [days, setDays] = useState<(typeof lives)[number]['value']>('');
  const create = useMutation({
    mutationFn: () => {
      const expiresAt = days && new Date(Date.now() + Number(days) * dayMs).toISOString();
      return client.keys.create({ name: name.trim(), role, ...(expiresAt && { expiresAt }) });
    },
    onSuccess: (key) => {
      void queries.invalidateQueries({ queryKey: queryKeys.keys });
      onCreated(key);
    },
  });
  const { at } = sortIssues(issuesOf(create.error), ['name']);
  return (
    <FormDialog
      title="New API key"
      action="Create key"
      busy={create.isPending}
      incomplete={!name.trim()}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        placeholder="nightly reports"
        maxLength={200}
        error={at.name}
        hint="What the key is for, so you know what stops working if you revoke it."
      />
      <Select label="Role" value={role} choices={roles} onValue={setRole} />
      <Select label="Expires" value={days} choices={lives} onValue={setDays} />
      {create.isError && !at.name && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}
