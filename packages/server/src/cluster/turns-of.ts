/** What a node does of what any could do, for rooms that know nothing of others. One that drains leaves its turns to them. */
import { alwaysMine, type Turn } from '../kit/turn.ts';
import type { Store } from '../store/records.ts';
import type { Cluster } from './interface.ts';
import { isTurnOf } from './whose-turn.ts';

export function turnsOf(node: Cluster, store: Pick<Store, 'turns'>): Turn {
  if (node.alone) return alwaysMine;
  return {
    nodes: () => node.members().length,
    isMine: (name) => isTurnOf(node.bootId, name, node.members()),
    take: async (chore, periodMs) => (await store.turns.take(chore, periodMs)) !== undefined,
  };
}
