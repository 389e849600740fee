/** Who is in control of the browser, and the way to take it over, hand it back, or ask a person to. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { refresh } from '../../../data/data.ts';
import { Button, Icon } from '../../../parts/controls/controls.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { Time, Untrusted } from '../../../parts/text/text.ts';
import { useHandoff } from '../../../view/view.ts';
import { RequestPerson } from './request-person.tsx';

const states: Record<api.Handoff['state'], string> = {
  scripts: 'Scripts are in control.',
  requested: 'Waiting for you to take over.',
  person: 'A person is in control. Scripts are paused.',
};

export function HandoffBar({ browser, onTakeOver }: { browser: Browser; onTakeOver: () => void }) {
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
    <div className={`handoff handoff-${state}`}>
      <Icon name={state === 'scripts' ? 'script' : 'person'} size={state === 'requested' ? 20 : 16} />
      <p role="status">
        {states[state]}{' '}
        {state !== 'scripts' && data && (
          <span className="soft">
            since <Time at={data.since} />
          </span>
        )}
        {data?.message && <Untrusted text={data.message} className="handoff-message" />}
      </p>
      {state === 'scripts' && (
        <Button small kind="quiet" icon="person" onClick={() => setIsRequesting(true)}>
          Ask for help
        </Button>
      )}
      {state !== 'scripts' && (
        <Button small kind="quiet" busy={end.isPending} onClick={() => end.mutate()}>
          {state === 'person' ? 'Return control to scripts' : 'Cancel request'}
        </Button>
      )}
      {state === 'requested' && (
        <Button kind="primary" large icon="person" onClick={onTakeOver}>
          Take over
        </Button>
      )}
      {isRequesting && <RequestPerson browser={browser} onClose={() => setIsRequesting(false)} />}
    </div>
  );
}
