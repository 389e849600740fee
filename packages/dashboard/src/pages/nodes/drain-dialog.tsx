/** Confirms that a node is drained: its browsers move, and it ends. */
import type { api } from '@browserd/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../data/data.ts';
import { Confirm } from '../../parts/dialogs/dialogs.ts';
import { useToast } from '../../parts/notices/notices.ts';
import { useClient } from '../../session/session.ts';

export function DrainDialog({ node, onClose }: { node: api.Node; onClose(): void }) {
  const client = useClient();
  const queries = useQueryClient();
  const toast = useToast();
  const drain = useMutation({
    mutationFn: () => client.nodes.drain(node.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: queryKeys.nodes });
      toast.say('Node is draining.');
      onClose();
    },
  });
  const { used } = node.browsers;
  const what =
    used === 0 ? 'It runs no browsers.' : used === 1 ? 'Its browser moves' : `Its ${used} browsers move`;
  return (
    <Confirm
      title="Drain this node?"
      action="Drain node"
      busy={drain.isPending}
      error={drain.error}
      onConfirm={() => drain.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>
          <code>{node.id}</code>
        </strong>
      </p>
      <p>
        {what}
        {used > 0 &&
          ' to other nodes: each is away for a few seconds, and what its pages held in memory is lost.'}{' '}
        Then the node ends. Whatever started it may start it again.
      </p>
      {node.answering && <p>It’s the node that answers you now. The dashboard reconnects to another one.</p>}
    </Confirm>
  );
}
