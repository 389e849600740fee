/** Stop, resume and close, as the status allows. What ends something asks for confirmation. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../controls/controls.ts';
import { Confirm } from '../dialogs/dialogs.ts';
import { useToast } from '../notices/notices.ts';
import { size, Untrusted } from '../text/text.ts';

type Action = 'stop' | 'resume' | 'close';

const questions = {
  stop: {
    title: 'Stop this browser?',
    button: 'Stop browser',
    kind: 'primary',
    text: 'Running scripts end. Tabs, cookies and storage are kept, and you can resume it later.',
  },
  close: {
    title: 'Close this browser?',
    button: 'Close browser',
    kind: 'danger',
    text: 'This can’t be undone: tabs, cookies and storage are lost. Files, downloads and recordings stay available for the retention period.',
  },
} as const;

const canStop = new Set<api.BrowserStatus>(['ready']);
const canResume = new Set<api.BrowserStatus>(['stopped']);
const cannotClose = new Set<api.BrowserStatus>(['closing', 'closed']);

async function act(browser: Browser, action: Action): Promise<string> {
  if (action === 'stop') {
    await browser.stop();
    return 'Browser stopped.';
  }
  if (action === 'resume') {
    await browser.resume();
    return 'Browser resumed.';
  }
  const { receipt } = await browser.close();
  return `Browser closed: ${receipt.processesEnded} processes ended, ${size(receipt.bytesFreed)} freed.`;
}

interface Props {
  browser: Browser;
  record: api.Browser;
  /** With labels on the buttons, if there is room. */
  labelled?: boolean;
}
export function BrowserActions({ browser, record, labelled = false }: Props) {
  const [confirming, setConfirming] = useState<'stop' | 'close'>();
  const queries = useQueryClient();
  const toast = useToast();
  const action = useMutation({
    mutationFn: (what: Action) => act(browser, what),
    // before the dialog closes, so that the focus is not given to a button that is about to go
    onSuccess: async (text) => {
      await queries.invalidateQueries();
      toast.say(text);
      setConfirming(undefined);
    },
    onError: (error, what) => {
      if (what === 'resume') toast.error(error);
      return queries.invalidateQueries();
    },
  });
  const ask = (what: 'stop' | 'close') => (): void => {
    action.reset();
    setConfirming(what);
  };
  const { status, name } = record;
  const question = confirming && questions[confirming];
  const what = name ?? record.id;
  const look = labelled ? {} : ({ small: true, kind: 'quiet' } as const);
  return (
    <>
      {canStop.has(status) && (
        <Button {...look} icon="stop" onClick={ask('stop')} aria-label={`Stop ${what}`} title="Stop">
          {labelled && 'Stop'}
        </Button>
      )}
      {canResume.has(status) && (
        <Button
          {...look}
          icon="play"
          busy={action.isPending && action.variables === 'resume'}
          onClick={() => action.mutate('resume')}
          aria-label={`Resume ${what}`}
          title="Resume"
        >
          {labelled && 'Resume'}
        </Button>
      )}
      {!cannotClose.has(status) && (
        <Button {...look} icon="bin" onClick={ask('close')} aria-label={`Close ${what}`} title="Close">
          {labelled && 'Close'}
        </Button>
      )}
      {confirming && question && (
        <Confirm
          title={question.title}
          action={question.button}
          kind={question.kind}
          busy={action.isPending}
          error={action.error}
          onConfirm={() => action.mutate(confirming)}
          onClose={() => setConfirming(undefined)}
        >
          <p>
            <strong>
              <Untrusted text={what} />
            </strong>
          </p>
          <p>{question.text}</p>
        </Confirm>
      )}
    </>
  );
}
