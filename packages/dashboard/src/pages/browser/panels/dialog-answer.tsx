/** An open dialog of a page. Its text is the page's, and is marked as such. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { TextField } from '../../../parts/forms/forms.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { LongText, Untrusted } from '../../../parts/text/text.ts';

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
