/**
 * The calls that this node has passed on and that are under way. When the node that answers them is buried, or cannot be
 * reached any more, they end at once instead of waiting for bytes that never come.
 *
 * A connection that the network has cut says nothing. So while a call is under way and no byte comes from its node, that node
 * is asked for a sign of life, once for all calls.
 */
import type { ClientRequest } from 'node:http';
import { type Agent, request } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Cluster, hopAgent, hopHeader, hopTo, type Member } from '../../cluster/cluster.ts';
import { placeOf } from './place-of.ts';

const lookEveryMs = 250;
/** A node that joined a moment ago may not be in the latest look yet. */
const newMs = 15_000;
/** Answered by the inner listener itself. */
export const pulsePath = '/pulse';

export interface Pulse {
  /** Without a byte for so long, a node is asked. */
  silentMs: number;
  /** A busy machine may take its time to answer. */
  patienceMs: number;
}

const usualPulse: Pulse = { silentMs: 5000, patienceMs: 10_000 };

interface UnderWay {
  member: Member;
  since: number;
  /** Whether a look has found its node. */
  seen: boolean;
  bytes: number;
  heardAt: number;
  /** Undefined before there is a connection. */
  connection(): { bytesRead?: number } | null | undefined;
  onLost(): void;
}

export class Hops implements Disposable {
  readonly #cluster: Pick<Cluster, 'members'>;
  readonly #agent: Agent;
  readonly #pulse: Pulse;
  readonly #underWay = new Set<UnderWay>();
  /** The boots that are being asked for a sign. */
  readonly #asking = new Set<string>();
  #look: NodeJS.Timeout | undefined;

  constructor(cluster: Pick<Cluster, 'members'>, secret: Uint8Array, pulse = usualPulse) {
    this.#cluster = cluster;
    this.#agent = hopAgent(secret);
    this.#pulse = pulse;
  }

  /** Not sent before its headers are flushed, or it is ended. */
  ask({ address }: Member, call: { method: string; path: string; headers: string[] }): ClientRequest {
    return request({ ...placeOf(address ?? ''), ...call, agent: this.#agent });
  }

  /** Destroys the call, or the socket it has become, when its node is gone. The return value is the off switch. */
  watch(member: Member, what: ClientRequest | Duplex): () => void {
    const seen = this.#cluster.members().some(({ bootId }) => bootId === member.bootId);
    const now = performance.now();
    const watched: UnderWay = {
      ...{ member, seen, since: now, heardAt: now, bytes: 0 },
      connection: () => ('socket' in what ? what.socket : (what as { bytesRead?: number })),
      onLost: () => what.destroy(new Error(`The node ${member.id} is gone.`)),
    };
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
    const now = performance.now();
    for (const watched of [...this.#underWay]) {
      const { member, connection } = watched;
      if (there.has(member.bootId)) watched.seen = true;
      else if (watched.seen || now - watched.since > newMs) watched.onLost();
      const bytes = connection()?.bytesRead ?? 0;
      if (bytes !== watched.bytes) watched.heardAt = now;
      watched.bytes = bytes;
      if (now - watched.heardAt > this.#pulse.silentMs) void this.#feel(member);
    }
  }

  async #feel(member: Member): Promise<void> {
    if (this.#asking.has(member.bootId)) return;
    this.#asking.add(member.bootId);
    const isThere = await this.#hasPulse(member);
    this.#asking.delete(member.bootId);
    for (const watched of [...this.#underWay]) {
      if (watched.member.bootId !== member.bootId) continue;
      if (isThere) watched.heardAt = performance.now();
      else if (performance.now() - watched.heardAt > this.#pulse.silentMs) watched.onLost();
    }
  }

  #hasPulse(member: Member): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const headers = ['Host', 'browserd', hopHeader, hopTo(member.bootId)];
    const asked = this.ask(member, { method: 'GET', path: pulsePath, headers });
    const late = setTimeout(() => asked.destroy(), this.#pulse.patienceMs).unref();
    asked
      .once('response', (answer) => resolve(answer.resume().statusCode === 204))
      .once('close', () => {
        clearTimeout(late);
        resolve(false);
      })
      .on('error', () => resolve(false))
      .end();
    return promise;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#look);
    this.#agent.destroy();
  }
}
