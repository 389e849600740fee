/** Confirms that a secret is deleted, which cannot be undone. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../data/data.ts';
import { Confirm } from '../../parts/dialogs/dialogs.ts';
import { useToast } from '../../parts/notices/notices.ts';
import { Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

export function DeleteSecretDialog({ deleted, onClose }: { deleted: api.Secret; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => client.secrets.delete(deleted.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.secrets });
      toast.say('Secret deleted.');
      onClose();
    },
  });
  return (
    <Confirm
      title="Delete this secret?"
      action="Delete secret"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>
          <Untrusted text={deleted.name} />
        </strong>
      </p>
      <p>Scripts that name it fail from now on. Its value can’t be brought back.</p>
    </Confirm>
  );
}
