/** The driver of the browser, and the request to a person. Taking over and handing back happen in the viewer below. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { Button, Icon } from '../../../parts/controls/controls.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { Time, Untrusted } from '../../../parts/text/text.ts';
import { useHandoff } from '../../../view/view.ts';
import { RequestPerson } from './request-person.tsx';

const drivers: Record<api.Handoff['state'], string> = {
  scripts: 'Scripts drive.',
  requested: 'A person is asked for.',
  person: 'A person drives; scripts wait.',
};

export function HandoffBar({ browser }: { browser: Browser }) {
  const { data } = useHandoff(browser);
  const queries = useQueryClient();
  const toast = useToast();
  const [isRequesting, setIsRequesting] = useState(false);
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
        {drivers[state]}{' '}
        {state !== 'scripts' && data && (
          <span className="faint">
            since <Time at={data.since} />
          </span>
        )}
        {data?.message && <Untrusted text={data.message} className="handoff-message" />}
      </p>
      {state === 'scripts' ? (
        <Button small kind="quiet" icon="person" onClick={() => setIsRequesting(true)}>
          Ask for a person
        </Button>
      ) : (
        <Button small busy={end.isPending} onClick={() => end.mutate()}>
          {state === 'person' ? 'Give it to scripts' : 'Withdraw'}
        </Button>
      )}
      {isRequesting && <RequestPerson browser={browser} onClose={() => setIsRequesting(false)} />}
    </div>
  );
}
