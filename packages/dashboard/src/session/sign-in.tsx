/** The sign-in page: a key is tried by a real call. */
import { BrowserdError } from '@browserd/sdk';
import { type FormEvent, useEffect, useState } from 'react';
import { Brand } from '../parts/brand.tsx';
import { Button } from '../parts/controls/controls.ts';
import { TextField } from '../parts/forms/forms.ts';
import { ErrorNote, Note } from '../parts/notices/notices.ts';
import { type Role, tryKey } from './key.ts';

interface Props {
  /** Why the last session ended without a sign-out. */
  reason: string | undefined;
  onSigned(signed: { key: string; role: Role }): void;
}

export function SignIn({ reason, onSigned }: Props) {
  const [key, setKey] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = 'Sign in · browserd';
  }, []);
  const refused = error instanceof BrowserdError && error.status === 401;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(undefined);
    try {
      onSigned(await tryKey(key.trim()));
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form className="panel" onSubmit={(event) => void submit(event)}>
        <Brand />
        <h1>Sign in</h1>
        {reason && error === undefined && (
          <Note kind="warning">
            <p>{reason}</p>
          </Note>
        )}
        <TextField
          label="API key"
          type="password"
          name="key"
          value={key}
          onValue={setKey}
          placeholder="bd_…"
          required
          autoFocus
          error={refused ? 'This key isn’t valid. It may have been revoked or may have expired.' : undefined}
          hint="browserd prints the first key when it starts for the first time. The key stays in this tab and is forgotten when you close it."
        />
        {error !== undefined && !refused && <ErrorNote error={error} />}
        <Button type="submit" kind="primary" busy={busy} disabled={key.trim() === ''}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
