import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Untrusted } from '../../parts/untrusted.tsx';
import { refresh } from '../browser-queries.ts';
import { AskPerson } from './ask-person.tsx';
import { useHandoff } from './use-handoff.ts';

const who: Record<api.Handoff['state'], string> = {
  scripts: 'Scripts drive.',
  requested: 'A person is asked for.',
  person: 'A person drives; scripts wait.',
};

/** Who drives, and what a person was asked to do. Taking over and handing back is done in the frame below. */
export function HandoffBar({ browser }: { browser: Browser }) {
  const { data } = useHandoff(browser);
  const queries = useQueryClient();
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  const end = useMutation({
    mutationFn: () => browser.handoff.end(),
    onError: toast.error,
    onSettled: () => refresh(queries, browser.id, ['handoff']),
  });
  const state = data?.state ?? 'scripts';
  return (
    <div className={`handoff handoff-${state}`} role="status">
      <Icon name={state === 'scripts' ? 'script' : 'person'} />
      <p>
        {who[state]}{' '}
        {state !== 'scripts' && data && (
          <span className="faint">
            since <Time at={data.since} />
          </span>
        )}
        {data?.message && <Untrusted text={data.message} className="handoff-message" />}
      </p>
      {state === 'scripts' ? (
        <Button small kind="quiet" icon="person" onClick={() => setIsAsking(true)}>
          Ask for a person
        </Button>
      ) : (
        <Button small busy={end.isPending} onClick={() => end.mutate()}>
          {state === 'person' ? 'Give it to scripts' : 'Withdraw'}
        </Button>
      )}
      {isAsking && <AskPerson browser={browser} onClose={() => setIsAsking(false)} />}
    </div>
  );
}
