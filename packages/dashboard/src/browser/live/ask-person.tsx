import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { TextArea } from '../../parts/field.tsx';
import { refresh } from '../browser-queries.ts';

/** Asks as a script would: whoever listens to events is told, and the address can be passed on by hand. */
export function AskPerson({ browser, onClose }: { browser: Browser; onClose: () => void }) {
  const queries = useQueryClient();
  const [message, setMessage] = useState('');
  const asking = useMutation({
    mutationFn: () => browser.handoff.request(message.trim() ? { message: message.trim() } : {}),
    onSuccess: () => refresh(queries, browser.id, ['handoff']),
  });
  const address = asking.data?.url;
  return (
    <Dialog
      title="Ask for a person"
      onClose={onClose}
      held={asking.isPending}
      footer={
        address ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button kind="primary" busy={asking.isPending} onClick={() => asking.mutate()}>
            Ask
          </Button>
        )
      }
    >
      {address ? (
        <>
          <p>Give this address to one person. Whoever has it can drive the browser until it expires.</p>
          <div className="secret">
            <code>{address}</code>
            <CopyButton text={address} what="address" />
          </div>
        </>
      ) : (
        <TextArea
          label="What should be done?"
          hint="Scripts go on until somebody takes over."
          placeholder="Please sign in, then hand back."
          optional
          value={message}
          onValue={setMessage}
        />
      )}
      {asking.error && <ErrorNote error={asking.error} />}
    </Dialog>
  );
}
