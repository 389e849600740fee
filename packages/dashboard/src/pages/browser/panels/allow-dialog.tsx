/** Confirms a change of the policy and shows the result, because a single word in it may open more than expected. */
import type { api, Browser } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refresh } from '../../../data/data.ts';
import { Confirm } from '../../../parts/dialogs/dialogs.ts';
import { useToast } from '../../../parts/notices/notices.ts';
import { Untrusted } from '../../../parts/text/text.ts';
import { allowing, type Refusal } from './allow-refused.ts';

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
      toast.say('Policy saved. It applies right away.');
      refresh(queries, browser.id, ['record']);
      onClose();
    },
  });
  return (
    <Confirm
      title="Allow this host?"
      action="Allow host"
      kind="primary"
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    >
      <Untrusted text={refusal.host} className="allow-host" />
      <p className="soft">A page tried to connect to this host. The browser’s policy would become:</p>
      <pre className="code-block">{JSON.stringify(policy, undefined, 2)}</pre>
    </Confirm>
  );
}
