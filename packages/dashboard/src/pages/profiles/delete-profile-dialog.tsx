/** Confirms that a profile is deleted, which cannot be undone. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../data/data.ts';
import { Confirm } from '../../parts/dialogs/dialogs.ts';
import { useToast } from '../../parts/notices/notices.ts';
import { Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';

export function DeleteProfileDialog({ profile, onClose }: { profile: api.Profile; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => client.profiles.delete(profile.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.profiles });
      toast.say('Profile deleted.');
      onClose();
    },
  });
  return (
    <Confirm
      title="Delete this profile?"
      action="Delete profile"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>
          <Untrusted text={profile.name ?? profile.id} />
        </strong>
      </p>
      <p>All its versions go with it. Browsers that run on a copy keep it. This can’t be undone.</p>
    </Confirm>
  );
}
