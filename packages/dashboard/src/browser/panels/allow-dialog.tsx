import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../../parts/dialog.tsx';
import { useToast } from '../../parts/toast.tsx';
import { Untrusted } from '../../parts/untrusted.tsx';
import { refresh } from '../browser-queries.ts';
import { allowing, type Refusal } from './allow-refused.ts';

/** Shows the policy as it would be, because one word in it may open more than one thinks. */
export function AllowDialog(props: {
  browser: Browser;
  record: api.Browser;
  refusal: Refusal;
  onClose: () => void;
}) {
  const { browser, record, refusal, onClose } = props;
  const queries = useQueryClient();
  const toast = useToast();
  const policy = allowing(record.policy, refusal);
  const change = useMutation({
    mutationFn: () => browser.update({ policy: policy ?? record.policy }),
    onSuccess: () => {
      toast.say('The policy is changed; it holds from now on.');
      refresh(queries, browser.id, ['record']);
      onClose();
    },
  });
  return (
    <Confirm
      title="Allow this host?"
      action="Change the policy"
      kind="primary"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <Untrusted text={refusal.host} className="allow-host" />
      <p className="soft">Pages chose to connect to it. The policy of this browser would be:</p>
      <pre className="code-block">{JSON.stringify(policy, undefined, 2)}</pre>
    </Confirm>
  );
}
