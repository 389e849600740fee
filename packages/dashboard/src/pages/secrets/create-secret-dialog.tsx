/** The dialog for a new secret. What is typed here goes to the service and is forgotten. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { FormDialog } from '../../parts/dialogs/dialogs.ts';
import { issuesOf, Select, sortIssues, TextArea, TextField } from '../../parts/forms/forms.ts';
import { ErrorNote, useToast } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';

const kinds = [
  { value: 'value', label: 'A value, such as a password' },
  { value: 'totp', label: 'Codes by time (authenticator app)' },
] as const;

export function CreateSecretDialog({ onClose }: { onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'value' | 'totp'>('value');
  const [value, setValue] = useState('');
  const [origins, setOrigins] = useState('');
  const create = useMutation({
    mutationFn: () =>
      client.secrets.create({
        name: name.trim(),
        origins: origins.split(/[\s,]+/).filter(Boolean),
        ...(kind === 'totp' ? { totp: { secret: value } } : { value }),
      }),
    // Neither the form nor the cache of requests keeps it.
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.secrets });
      toast.say('Secret created.');
      onClose();
    },
  });
  const { at, rest } = sortIssues(issuesOf(create.error), ['name', 'value', 'totp.secret', 'origins']);
  const isPlaced = Object.keys(at).length > 0 && rest.length === 0;
  return (
    <FormDialog
      title="New secret"
      action="Create secret"
      busy={create.isPending}
      incomplete={!name.trim() || !value || !origins.trim()}
      onSubmit={create.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        onValue={setName}
        placeholder="github/password"
        maxLength={128}
        error={at.name}
        hint="How scripts name it."
      />
      <Select label="Kind" value={kind} choices={kinds} onValue={setKind} />
      <TextField
        label={kind === 'totp' ? 'Seed' : 'Value'}
        type="password"
        autoComplete="new-password"
        value={value}
        onValue={setValue}
        error={at.value ?? at['totp.secret']}
        hint={
          kind === 'totp'
            ? 'The letters that the site shows beside its QR code.'
            : 'It can be replaced later, but not read.'
        }
      />
      <TextArea
        label="Origins"
        value={origins}
        onValue={setOrigins}
        placeholder="https://github.com"
        error={at.origins}
        hint="Where it may be typed, exactly: one on each line."
      />
      {create.isError && !isPlaced && <ErrorNote error={create.error} />}
    </FormDialog>
  );
}
