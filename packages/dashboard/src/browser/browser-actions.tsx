import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, LinkButton } from '../parts/button.tsx';
import { useToast } from '../parts/toast.tsx';
import { refresh } from './browser-queries.ts';
import { CloseDialog } from './close-dialog.tsx';
import { MoreMenu } from './more-menu.tsx';

const can = {
  stop: ['ready'],
  resume: ['stopped'],
  close: ['creating', 'ready', 'stopping', 'stopped', 'resuming', 'recovering', 'failed'],
} satisfies Record<string, api.BrowserStatus[]>;

/** What can be done to the browser as a whole, by its status. */
export function BrowserActions({ browser, record }: { browser: Browser; record: api.Browser }) {
  const queries = useQueryClient();
  const toast = useToast();
  const [isClosing, setIsClosing] = useState(false);
  const move = useMutation({
    mutationFn: (how: 'stop' | 'resume') => browser[how](),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['record', 'status', 'handoff', 'recordings']),
  });
  const may = (what: keyof typeof can): boolean => (can[what] as api.BrowserStatus[]).includes(record.status);
  return (
    <>
      {may('stop') && (
        <LinkButton to={`/app/script?browser=${record.id}`} icon="script">
          Script
        </LinkButton>
      )}
      {may('stop') && (
        <Button icon="pause" busy={move.isPending} onClick={() => move.mutate('stop')}>
          Stop
        </Button>
      )}
      {may('resume') && (
        <Button kind="primary" icon="play" busy={move.isPending} onClick={() => move.mutate('resume')}>
          Resume
        </Button>
      )}
      {may('close') && (
        <Button icon="close" onClick={() => setIsClosing(true)}>
          Close
        </Button>
      )}
      <MoreMenu browser={browser} record={record} />
      {isClosing && <CloseDialog browser={browser} onClose={() => setIsClosing(false)} />}
    </>
  );
}
