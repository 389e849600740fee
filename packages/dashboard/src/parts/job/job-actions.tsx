/** Cancel and delete, each after a question, as neither can be undone. */
import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { Button } from '../controls/controls.ts';
import { Confirm } from '../dialogs/dialogs.ts';
import { useToast } from '../notices/notices.ts';
import { Untrusted } from '../text/text.ts';
import { isActive, titleOf } from './job-facts.ts';

interface Props {
  job: api.Job;
  /** With words on the buttons; otherwise icons, for rows of tables. */
  labelled?: boolean;
  cancel(): Promise<unknown>;
  remove(): Promise<unknown>;
}

const questions = {
  cancel: {
    title: 'Cancel this job?',
    action: 'Cancel job',
    about:
      'Pages under way are given up, and no more are begun. The results so far stay. This can’t be undone.',
    done: 'Job cancelled.',
  },
  remove: {
    title: 'Delete this job?',
    action: 'Delete job',
    about: 'Its results and their files go with it. This can’t be undone.',
    done: 'Job deleted.',
  },
} as const;

export function JobActions({ job, labelled = false, cancel, remove }: Props) {
  const [asked, setAsked] = useState<keyof typeof questions>();
  const title = titleOf(job);
  return (
    <>
      {isActive(job) && (
        <Button
          small={!labelled}
          kind={labelled ? 'plain' : 'quiet'}
          icon="stop"
          aria-label={labelled ? undefined : `Cancel ${title}`}
          onClick={() => setAsked('cancel')}
        >
          {labelled && 'Cancel job'}
        </Button>
      )}
      <Button
        small={!labelled}
        kind={labelled ? 'plain' : 'quiet'}
        icon="bin"
        aria-label={labelled ? undefined : `Delete ${title}`}
        onClick={() => setAsked('remove')}
      >
        {labelled && 'Delete'}
      </Button>
      {asked && (
        <Question
          question={questions[asked]}
          title={title}
          work={asked === 'cancel' ? cancel : remove}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface QuestionProps {
  question: (typeof questions)[keyof typeof questions];
  title: string;
  work(): Promise<unknown>;
  onClose(): void;
}

function Question({ question, title, work, onClose }: QuestionProps) {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await work();
      toast.say(question.done);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Confirm
      title={question.title}
      action={question.action}
      busy={busy}
      error={error}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        <strong>
          <Untrusted text={title} />
        </strong>
      </p>
      <p>{question.about}</p>
    </Confirm>
  );
}
