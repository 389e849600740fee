/** Opens a browser in which a person signs in; handed back, its state is saved into the profile. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { queryKeys } from '../../data/data.ts';
import { Button } from '../../parts/controls/controls.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { Dialog, FormDialog } from '../../parts/dialogs/dialogs.ts';
import { TextField } from '../../parts/forms/forms.ts';
import { ErrorNote } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';

export function SignInDialog({ profile, onClose }: { profile: api.Profile; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [url, setUrl] = useState(profile.check?.url ?? '');
  const open = useMutation({
    mutationFn: () => client.profiles.signIn(profile.id, url.trim() ? { url: url.trim() } : {}),
    onSuccess: () => void queries.invalidateQueries({ queryKey: queryKeys.profiles }),
  });
  if (open.data)
    return (
      <Dialog
        title="Sign in"
        onClose={onClose}
        footer={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p>Open the live view, take control, sign in, and hand the browser back. It’s saved when you do.</p>
        <p>
          <a className="button primary" href={open.data.url} target="_blank" rel="noreferrer">
            Open the live view
          </a>
        </p>
        <p>Or share this link with one person. Anyone who has it can control the browser until it expires.</p>
        <div className="secret">
          <code>{open.data.url}</code>
          <CopyButton text={open.data.url} what="link" />
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={`Sign in to ${profile.name ?? 'the profile'}`}
      action="Open a browser"
      busy={open.isPending}
      noValidate
      onSubmit={open.mutate}
      onClose={onClose}
    >
      <TextField
        label="Where to sign in"
        optional
        value={url}
        onValue={setUrl}
        placeholder="https://example.com/login"
        hint="The browser opens this address."
      />
      {open.error && <ErrorNote error={open.error} />}
    </FormDialog>
  );
}
