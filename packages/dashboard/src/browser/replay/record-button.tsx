import type { Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { useToast } from '../../parts/toast.tsx';
import { refresh } from '../browser-queries.ts';
import { useRecordings } from './use-recordings.ts';

/** Recording on and off; one runs at a time. */
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
