/** The dialog for a new, empty profile, with the page by which its sign-in is checked. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { FormDialog } from '../../parts/dialogs/dialogs.ts';
import { issuesOf, sortIssues, TextField } from '../../parts/forms/forms.ts';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';

interface Props {
  onClose(): void;
  onCreated(profile: api.Profile): void;
}

export function CreateProfileDialog({ onClose, onCreated }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [selector, setSelector] = useState('');
  const create = useMutation({
    mutationFn: () => {
      const check = { url: url.trim(), ...(selector.trim() && { selector: selector.trim() }) };
      return client.profiles.create({ name: name.trim(), ...(url.trim() && { check }) });
    },
    onSuccess: (profile) => {
      void queries.invalidateQueries({ queryKey: queryKeys.profiles });
      onCreated(profile);
    },
  });
  const { at } = sortIssues(issuesOf(create.error), ['name', 'check.url', 'check.selector']);
  const isPlaced = Object.values(at).some(Boolean);
  return (
    <FormDialog
      title="New profile"
      action="Create profile"
      busy={create.isPending}
      incomplete={!name.trim()}
      noValidate
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        placeholder="github"
        maxLength={200}
        error={at.name}
        hint="Browsers start with it by this name."
      />
      <TextField
        label="Page to check"
        optional
        value={url}
        onValue={setUrl}
        placeholder="https://example.com/account"
        error={at['check.url']}
        hint="A page that only a signed-in visitor can see."
      />
      <TextField
        label="Signed in when this is on the page"
        optional
        value={selector}
        onValue={setSelector}
        placeholder="[data-user]"
        error={at['check.selector']}
        hint="A CSS selector."
      />
      {create.isError && !isPlaced && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}
