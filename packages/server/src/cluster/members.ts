/** The latest look at all nodes of the database. Decisions that must be right are made by the database; this says where to ask. */
import type { NodeSeen, Store } from '../store/records.ts';
import type { Member } from './interface.ts';

const memberOf = ({ age, ...node }: NodeSeen): Member => ({
  id: node.id,
  bootId: node.bootId,
  address: node.address,
  state: node.state,
  version: node.version,
  zone: node.zone,
  capacity: node.capacity,
  used: node.used,
  warm: node.warm,
  silentMs: age,
  startedAt: node.startedAt,
});

const freeShare = ({ used, capacity }: Member): number => (capacity - used) / capacity;

export class Members {
  readonly #store: Store;
  #latest: readonly Member[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  get latest(): readonly Member[] {
    return this.#latest;
  }

  async look(): Promise<readonly Member[]> {
    const nodes = await this.#store.nodes.list();
    this.#latest = nodes.filter(({ state }) => state !== 'gone').map(memberOf);
    return this.#latest;
  }

  find(bootId: string): Member | undefined {
    return this.#latest.find((member) => member.bootId === bootId);
  }

  /** A browser that is on its way there counts until the next look: a burst of creates does not all go to the same node. */
  noteSent(bootId: string): void {
    this.#latest = this.#latest.map((member) =>
      member.bootId === bootId ? { ...member, used: member.used + 1 } : member,
    );
  }

  /**
   * Two at random, the roomier first: the choice of many nodes spreads, though all of them see the same numbers, a moment old.
   */
  roomiest(ownBoot: string, random: () => number = Math.random): Member[] {
    const open = this.#latest.filter(
      ({ bootId, state, used, capacity }) => bootId !== ownBoot && state === 'up' && used < capacity,
    );
    const take = (): Member[] => open.splice(Math.floor(random() * open.length), 1);
    return [...take(), ...take()].sort((a, b) => freeShare(b) - freeShare(a));
  }
}
