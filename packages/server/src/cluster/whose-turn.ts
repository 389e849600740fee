/**
 * Which node looks first after something that any of them could do. Every node finds it for itself, by the highest hash of the
 * name with each of the boots (rendezvous hashing): so a boot that comes or goes changes nothing for the names of the others,
 * and none is asked. Chores that must not be done twice at once are a row of the database instead.
 */
import type { Turn } from '../kit/turn.ts';
import { alwaysMine } from '../kit/turn.ts';
import type { Store } from '../store/records.ts';
import type { Cluster } from './interface.ts';

/** FNV-1a, and at its end what spreads the last letters over all bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Undefined when there is no boot at all. */
export function whoseTurn(name: string, bootIds: readonly string[]): string | undefined {
  let first: { bootId: string; weight: number } | undefined;
  for (const bootId of bootIds) {
    const weight = hash(`${bootId} ${name}`);
    const isHigher = !first || weight > first.weight || (weight === first.weight && bootId > first.bootId);
    if (isHigher) first = { bootId, weight };
  }
  return first?.bootId;
}

/** One that drains leaves its turns to the others. */
export function turnsOf(node: Cluster, store: Pick<Store, 'turns'>): Turn {
  if (node.alone) return alwaysMine;
  const up = (): string[] =>
    node
      .members()
      .filter(({ state }) => state === 'up')
      .map(({ bootId }) => bootId);
  return {
    nodes: () => node.members().length,
    isMine: (name) => whoseTurn(name, up()) === node.bootId,
    take: async (chore, periodMs) => (await store.turns.take(chore, periodMs)) !== undefined,
  };
}
