import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Untrusted } from '../../parts/untrusted.tsx';
import { refresh } from '../browser-queries.ts';
import { LongText } from './long-text.tsx';

/** A dialog that a page opened and nobody answered. Its words are the page's, and are marked as such. */
export function DialogAnswer({ browser, dialog }: { browser: Browser; dialog: api.Dialog }) {
  const { id, type, message, defaultValue, url } = dialog;
  const queries = useQueryClient();
  const toast = useToast();
  const [text, setText] = useState(defaultValue);
  const answer = useMutation({
    mutationFn: (accept: boolean) =>
      accept ? browser.dialogs.accept(id, type === 'prompt' ? text : undefined) : browser.dialogs.dismiss(id),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['dialogs', 'status']),
  });
  return (
    <fieldset className="dialog-answer">
      <legend>
        A page asks ({type}): <Untrusted text={url} className="faint" />
      </legend>
      <LongText text={message} />
      {type === 'prompt' && <TextField label="Answer" value={text} onValue={setText} />}
      <div className="row">
        <Button small kind="primary" busy={answer.isPending} onClick={() => answer.mutate(true)}>
          {type === 'beforeunload' ? 'Leave the page' : 'OK'}
        </Button>
        {type !== 'alert' && (
          <Button small disabled={answer.isPending} onClick={() => answer.mutate(false)}>
            {type === 'beforeunload' ? 'Stay' : 'Cancel'}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
