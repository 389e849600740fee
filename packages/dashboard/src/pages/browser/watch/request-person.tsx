/** Requests a person as a script would: it sends an event, and gives an address to pass on. */
import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { CopyButton } from '../../../parts/copy/copy.ts';
import { Dialog } from '../../../parts/dialogs/dialogs.ts';
import { TextArea } from '../../../parts/forms/forms.ts';
import { ErrorNote } from '../../../parts/notices/notices.ts';

export function RequestPerson({ browser, onClose }: { browser: Browser; onClose: () => void }) {
  const queries = useQueryClient();
  const [message, setMessage] = useState('');
  const request = useMutation({
    mutationFn: () => browser.handoff.request(message.trim() ? { message: message.trim() } : {}),
    onSuccess: () => refresh(queries, browser.id, ['handoff']),
  });
  const address = request.data?.url;
  return (
    <Dialog
      title="Ask for a person"
      onClose={onClose}
      locked={request.isPending}
      footer={
        address ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button kind="primary" busy={request.isPending} onClick={() => request.mutate()}>
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
      {request.error && <ErrorNote error={request.error} />}
    </Dialog>
  );
}
