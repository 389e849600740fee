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
      title="Ask for help"
      onClose={onClose}
      locked={request.isPending}
      footer={
        address ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button kind="primary" busy={request.isPending} onClick={() => request.mutate()}>
            Send request
          </Button>
        )
      }
    >
      {address ? (
        <>
          <p>Share this link with one person. Anyone who has it can control the browser until it expires.</p>
          <div className="secret">
            <code>{address}</code>
            <CopyButton text={address} what="link" />
          </div>
        </>
      ) : (
        <TextArea
          label="What should be done?"
          hint="Scripts keep running until a person takes over."
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
