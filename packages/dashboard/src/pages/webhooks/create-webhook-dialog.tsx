/** The dialog for a new webhook. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { FormDialog } from '../../parts/dialogs/dialogs.ts';
import { issuesOf, sortIssues, TextField } from '../../parts/forms/forms.ts';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';
import { PatternPicker } from './pattern-picker.tsx';

interface Props {
  onClose(): void;
  onCreated(webhook: api.CreatedWebhook): void;
}

export function CreateWebhookDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [events, setEvents] = useState<readonly api.EventPattern[]>([]);
  const create = useMutation({
    mutationFn: () =>
      client.webhooks.create({
        url: url.trim(),
        events: [...events],
        ...(description.trim() && { description: description.trim() }),
      }),
    onSuccess: (webhook) => {
      void queries.invalidateQueries({ queryKey: queryKeys.webhooks });
      onCreated(webhook);
    },
  });
  const { at } = sortIssues(issuesOf(create.error), ['url', 'description']);
  return (
    <FormDialog
      title="New webhook"
      action="Create webhook"
      busy={create.isPending}
      incomplete={!url.trim()}
      noValidate
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="Address"
        type="url"
        value={url}
        onValue={setUrl}
        placeholder="https://example.com/hooks/browserd"
        error={at.url}
      />
      <TextField
        label="Description"
        optional
        value={description}
        onValue={setDescription}
        error={at.description}
      />
      <PatternPicker chosen={events} onChosen={setEvents} />
      {create.isError && Object.keys(at).length === 0 && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}
