import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Confirm } from '../parts/dialog.tsx';
import { useToast } from '../parts/toast.tsx';
import { Untrusted } from '../parts/untrusted.tsx';
import { queryKeys } from '../query.ts';
import { useClient } from '../session.tsx';

export function RevokeKeyDialog({ revoked, onClose }: { revoked: api.Key; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => client.keys.revoke(revoked.id),
    onSuccess: () => {
      toast.say('The key is revoked.');
      void queries.invalidateQueries({ queryKey: queryKeys.keys });
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
        Whatever uses it is refused from now on. This cannot be undone. If it is the key you are signed in
        with, you are signed out.
      </p>
    </Confirm>
  );
}
