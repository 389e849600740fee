import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select, TextField } from '../parts/field.tsx';
import { issuesOf, sortIssues } from '../parts/issues.ts';
import { queryKeys } from '../query.ts';
import { useClient } from '../session.tsx';

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
  { value: 'member', label: 'Member: uses browsers' },
  { value: 'admin', label: 'Admin: manages keys and webhooks too' },
] as const;
const dayMs = 86_400_000;

export function CreateKeyDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const formId = useId();
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending && name.trim()) create.mutate();
  };
  return (
    <Dialog
      title="New API key"
      onClose={onClose}
      held={create.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={create.isPending} disabled={!name.trim()}>
            Create key
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onValue={setName}
          placeholder="nightly reports"
          maxLength={200}
          error={at.name}
          hint="What it is for, so that it can be revoked without fear."
        />
        <Select label="Role" value={role} choices={roles} onValue={setRole} />
        <Select label="Expires" value={days} choices={lives} onValue={setDays} />
        {create.isError && !at.name && <ErrorNote error={create.error} />}
      </form>
    </Dialog>
  );
}
