/** Starts and stops a recording; one runs at a time. */
import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refresh } from '../../../data/data.ts';
import { Button } from '../../../parts/controls/controls.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { useRecordings } from './use-recordings.ts';

export function RecordButton({ browser }: { browser: Browser }) {
  const queries = useQueryClient();
  const toast = useToast();
  const running = useRecordings(browser).data?.find(({ state }) => state === 'recording');
  const change = useMutation({
    mutationFn: () => (running ? browser.recordings.stop(running.id) : browser.recordings.start()),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['recordings', 'record']),
  });
  return (
    <Button
      icon={running ? 'stop' : 'record'}
      busy={change.isPending}
      aria-pressed={running !== undefined}
      onClick={() => change.mutate()}
    >
      {running ? 'Stop recording' : 'Record'}
    </Button>
  );
}
