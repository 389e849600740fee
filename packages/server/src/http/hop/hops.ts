/**
 * The calls that this node has passed on and that are under way. When the node that answers them is buried, they end at
 * once instead of waiting for bytes that never come.
 */
import type { ClientRequest } from 'node:http';
import { type Agent, request } from 'node:https';
import { type Cluster, hopAgent, type Member } from '../../cluster/cluster.ts';
import { placeOf } from './place-of.ts';

const lookEveryMs = 250;
/** A node that joined a moment ago may not be in the latest look yet. */
const newMs = 15_000;

interface Watched {
  bootId: string;
  since: number;
  /** Whether a look has found its node. */
  seen: boolean;
  onLost(): void;
}

export class Hops implements Disposable {
  readonly #cluster: Pick<Cluster, 'members'>;
  readonly #agent: Agent;
  readonly #underWay = new Set<Watched>();
  #look: NodeJS.Timeout | undefined;

  constructor(cluster: Pick<Cluster, 'members'>, secret: Uint8Array) {
    this.#cluster = cluster;
    this.#agent = hopAgent(secret);
  }

  /** Not sent before its headers are flushed, or it is ended. */
  ask({ address }: Member, call: { method: string; path: string; headers: string[] }): ClientRequest {
    return request({ ...placeOf(address ?? ''), ...call, agent: this.#agent });
  }

  /** Calls `onLost` when the node with this boot is gone. The return value is the off switch. */
  watch(bootId: string, onLost: () => void): () => void {
    const seen = this.#cluster.members().some((member) => member.bootId === bootId);
    const watched: Watched = { bootId, since: performance.now(), seen, onLost };
    this.#underWay.add(watched);
    this.#look ??= setInterval(() => this.#endLost(), lookEveryMs).unref();
    return () => {
      this.#underWay.delete(watched);
      if (this.#underWay.size > 0) return;
      clearInterval(this.#look);
      this.#look = undefined;
    };
  }

  #endLost(): void {
    const there = new Set(this.#cluster.members().map(({ bootId }) => bootId));
    for (const watched of [...this.#underWay]) {
      if (there.has(watched.bootId)) watched.seen = true;
      else if (watched.seen || performance.now() - watched.since > newMs) watched.onLost();
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#look);
    this.#agent.destroy();
  }
}
