import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/field.tsx';
import { issuesOf, sortIssues } from '../parts/issues.ts';
import { queryKeys } from '../query.ts';
import { useClient } from '../session.tsx';
import { PatternPicker } from './pattern-picker.tsx';

interface Props {
  onClose(): void;
  onCreated(webhook: api.CreatedWebhook): void;
}

export function CreateWebhookDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const formId = useId();
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!create.isPending && url.trim()) create.mutate();
  };
  return (
    <Dialog
      title="New webhook"
      onClose={onClose}
      held={create.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={create.isPending}>
            Cancel
          </Button>
          <Button type="submit" form={formId} kind="primary" busy={create.isPending} disabled={!url.trim()}>
            Create webhook
          </Button>
        </>
      }
    >
      <form id={formId} className="form" onSubmit={submit} noValidate>
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
      </form>
    </Dialog>
  );
}
