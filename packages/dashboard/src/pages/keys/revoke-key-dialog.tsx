/** Confirms that a key is revoked, which cannot be undone. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../data/data.ts';
import { Confirm } from '../../parts/dialogs/dialogs.ts';
import { useToast } from '../../parts/notices/notices.ts';
import { Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

export function RevokeKeyDialog({ revoked, onClose }: { revoked: api.Key; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => client.keys.revoke(revoked.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.keys });
      toast.say('Key revoked.');
      onClose();
    },
  });
  return (
    <Confirm
      title="Revoke this key?"
      action="Revoke key"
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>
          <Untrusted text={revoked.name} />
        </strong>
      </p>
      <p>
        Requests with this key fail from now on. This can’t be undone. If you’re signed in with it, you’ll be
        signed out.
      </p>
    </Confirm>
  );
}
