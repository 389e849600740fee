/** Asks before many browsers are stopped, resumed or closed, shows how far it is, and lists what failed. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { queryKeys } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { Dialog } from '../../../parts/dialogs/dialogs.ts';
import { errorText, useToast } from '../../../parts/notices/notices.ts';
import { Untrusted } from '../../../parts/text/text.ts';
import { actOnAll, type BulkAction, type BulkFailure, type BulkProgress, type Listed } from './act-on-all.ts';

const texts: Record<BulkAction, { verb: string; done: string; about: string; kind: 'primary' | 'danger' }> = {
  stop: {
    verb: 'Stop',
    done: 'stopped',
    about: 'Running scripts end. Tabs, cookies and storage are kept, and you can resume the browsers later.',
    kind: 'primary',
  },
  resume: {
    verb: 'Resume',
    done: 'resumed',
    about:
      'Each browser takes up a place on the server again. If there are not enough, the rest stay stopped.',
    kind: 'primary',
  },
  close: {
    verb: 'Close',
    done: 'closed',
    about:
      'This can’t be undone: tabs, cookies and storage are lost. Files, downloads and recordings stay available for the retention period.',
    kind: 'danger',
  },
};

const counted = (count: number): string => (count === 1 ? '1 browser' : `${count} browsers`);

interface Props {
  action: BulkAction;
  browsers: readonly Listed[];
  onDone(): void;
  onClose(): void;
}

export function BulkDialog({ action, browsers, onDone, onClose }: Props) {
  const { verb, done, about, kind } = texts[action];
  const queries = useQueryClient();
  const toast = useToast();
  const end = useRef(new AbortController());
  const [progress, setProgress] = useState<BulkProgress>({ done: 0, failures: [] });
  const run = useMutation({
    mutationFn: () => actOnAll(action, browsers, end.current.signal, setProgress),
    onSuccess: async (result) => {
      // so that what opened this dialog is gone, if it goes, before the focus is given back
      await queries.invalidateQueries({ queryKey: queryKeys.browsers });
      if (result.failures.length > 0) return;
      toast.say(`${counted(result.done)} ${done}.`);
      onDone();
      onClose();
    },
  });
  useEffect(() => {
    const { current } = end;
    return () => current.abort();
  }, []);
  const { failures } = progress;
  return (
    <Dialog
      title={`${verb} ${counted(browsers.length)}?`}
      onClose={onClose}
      locked={run.isPending}
      footer={
        run.isSuccess ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={() => (run.isPending ? end.current.abort() : onClose())}>
              {run.isPending ? 'Stop here' : 'Cancel'}
            </Button>
            <Button kind={kind} busy={run.isPending} onClick={() => run.mutate()}>
              {`${verb} ${counted(browsers.length)}`}
            </Button>
          </>
        )
      }
    >
      {run.isIdle && <p>{about}</p>}
      {!run.isIdle && (
        <>
          <p role="status">
            {`${progress.done} of ${counted(browsers.length)} ${done}`}
            {failures.length > 0 && `, ${failures.length} failed`}
          </p>
          <progress max={browsers.length} value={progress.done + failures.length} aria-label="Progress" />
        </>
      )}
      {failures.length > 0 && <Failures failures={failures} />}
    </Dialog>
  );
}

const mostShown = 20;

function Failures({ failures }: { failures: readonly BulkFailure[] }) {
  return (
    <ul className="plain-list bulk-failures" aria-label="Failed">
      {failures.slice(0, mostShown).map(({ browser, error }) => (
        <li key={browser.id}>
          <Untrusted text={browser.record.name ?? browser.id} />
          <span className="soft">{errorText(error).message}</span>
        </li>
      ))}
      {failures.length > mostShown && <li>{`and ${failures.length - mostShown} more`}</li>}
    </ul>
  );
}
