/**
 * A node among others. With each heartbeat it renews its lease, looks at the members, and declares those gone whose lease is over.
 *
 *   clocks compared ──> own boot before declared gone, this one registered ──> first renewal ──> a member
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../kit/setup-error.ts';
import type { NodeSeen } from '../store/records.ts';
import { startClaims } from './claims.ts';
import { compareClocks } from './clocks.ts';
import type { Cluster, Load, Whereabouts } from './interface.ts';
import type { JoinParts } from './join-parts.ts';
import { type LeaseClock, RenewedLease } from './lease.ts';
import { Members } from './members.ts';
import { type OwnFiles, readOwnFiles } from './own-files.ts';
import { hopSecret } from './secret.ts';

export interface MemberPace {
  /** Silent for so long, by the database's clock, a boot is over. */
  ttlMs: number;
  heartbeatMs: number;
  /** A renewal without an answer for so long is given up, and sent again. */
  answerMs: number;
  /** So long after a renewal was sent, bytes may go out. */
  gateMs: number;
  /** The home may claim its browsers so much sooner than others, when it may be back. */
  headStartMs: number;
  pollMs: number;
  clock?: LeaseClock;
}

export const paceOf = (ttlMs: number): MemberPace => {
  const gateMs = Math.floor((ttlMs * 2) / 3);
  return {
    ttlMs,
    heartbeatMs: Math.ceil(ttlMs / 10),
    // Several have their chance before the gate shuts.
    answerMs: Math.ceil(gateMs / 4),
    gateMs,
    headStartMs: Math.min(1000, Math.ceil(ttlMs / 3)),
    pollMs: 1000,
  };
};

/** A record may move while its holder is looked up. */
const looksForHolder = 3;
/** A browser in one of these needs no holder. */
const restful = ['stopped', 'failed', 'closed'];
/** A browser in one of these is about to be ready. */
const comingUp = ['creating', 'resuming', 'recovering'];

export async function joinMembers(
  parts: JoinParts & { clusterAddress: string },
  pace: MemberPace,
): Promise<Cluster> {
  const { store, log } = parts;
  await compareClocks(parts, pace.clock?.wall);
  const own = await readOwnFiles(parts.dataDir);
  const { id, bootId } = own;
  await register(parts, own, pace);
  await own.keepBoot();
  const members = new Members(store);
  const replaced = Promise.withResolvers<string>();
  const drainAsked = Promise.withResolvers<void>();
  let load = (): Load => ({ used: 0, capacity: parts.maxBrowsers ?? 0, warm: 0 });
  let beating = Promise.resolve();

  const beat = async (): Promise<void> => {
    await members.look();
    if (members.find(bootId)?.state === 'draining') drainAsked.resolve();
    const { ttlMs, heartbeatMs, headStartMs } = pace;
    const buried = await store.nodes.reap({ ttlMs, heartbeatMs, headStartMs });
    for (const dead of buried) log.warn({ bootId: dead, cause: 'lease' }, 'node.buried');
  };
  const lease = new RenewedLease({
    ...pace,
    renew: () => store.nodes.renew({ bootId, ...load() }, { timeoutMs: pace.answerMs }),
    onRenewed() {
      beating = beat().catch((error: unknown) => log.warn({ err: error }, 'members.look_failed'));
    },
    onFenced: () => replaced.resolve(declaredGone(id)),
    onFailure: (error) => log.warn({ err: error }, 'heartbeat.failed'),
  });
  try {
    await lease.start();
    await members.look();
  } catch (error) {
    lease[Symbol.dispose]();
    await store.nodes.leave(bootId).catch(() => undefined);
    throw error;
  }

  const locate = async (browserId: string, projectId?: string): Promise<Whereabouts> => {
    for (let look = 0; look < looksForHolder; look++) {
      const found = await store.placement.locate(browserId, projectId);
      if (!found) return { at: 'unknown' };
      if (found.holder === null) return { at: 'nowhere', waits: !restful.includes(found.status) };
      if (found.holder === bootId) return { at: 'here', comesUp: comingUp.includes(found.status) };
      const { holder, epoch } = found;
      const member = members.find(holder) ?? (await members.look()).find((each) => each.bootId === holder);
      if (member) return { at: 'member', member, epoch };
    }
    return { at: 'nowhere', waits: true };
  };

  return {
    id,
    bootId,
    alone: false,
    lease,
    replaced: replaced.promise,
    drainAsked: drainAsked.promise,
    members: () => members.latest,
    locate,
    roomiest: () => members.roomiest(bootId),
    noteSent: (sentTo) => members.noteSent(sentTo),
    secret: hopSecret(store),
    startClaims: (adopt, room, limits) => startClaims({ store, log, own, lease, pace, adopt, room, limits }),
    report(told) {
      load = told;
    },
    async draining() {
      await store.nodes.drain(bootId);
      await members.look();
    },
    async [Symbol.asyncDispose]() {
      lease[Symbol.dispose]();
      await beating;
      // Without it the others wait until its lease is over.
      await store.nodes
        .leave(bootId)
        .catch((error: unknown) => log.warn({ err: error }, 'node.leave_failed'));
    },
  };
}

/** Registered once nothing is in its way: what gives no sign until its lease is over is not. */
async function register(
  parts: JoinParts & { clusterAddress: string },
  { id, bootId, bootBefore }: OwnFiles,
  { ttlMs, heartbeatMs }: MemberPace,
): Promise<void> {
  const { store, log, clusterAddress: address, maxBrowsers: capacity = 0, version, zone, engines } = parts;
  const known = new Map<string, number>();
  for (;;) {
    const now = Date.now();
    const about = { address, capacity, version, zone, engines };
    const node = { id, bootId, startedAt: now, heartbeatAt: now, ...about };
    const others = await store.nodes.join(node, { ttlMs, ownBefore: bootBefore });
    if (others.length === 0) return;
    const alive = others.find((other) => other.renewedAt > (known.get(other.bootId) ?? other.renewedAt));
    if (alive) throw new SetupError(alive.id === id ? copyRuns(alive) : loneRuns(alive));
    if (known.size === 0) log.warn({ nodes: others.map((other) => other.id), ttlMs }, 'node.others_heard');
    for (const { bootId: other, renewedAt } of others) known.set(other, renewedAt);
    await sleep(heartbeatMs);
  }
}

const copyRuns = ({ id, address }: NodeSeen): string =>
  `A copy of this data folder runs as the same node (${id}) ${address ? `at ${address}` : 'elsewhere'}. Each node has a folder of its own: remove node-id and boot-id from this one, or stop the other.`;

const loneRuns = ({ id, startedAt }: NodeSeen): string =>
  `A browserd that works alone uses this database and is alive: node ${id}, started ${new Date(startedAt).toISOString()}. All nodes of a cluster have a BROWSERD_CLUSTER_ADDRESS: set it there too, or stop that one first.`;

const declaredGone = (id: string): string =>
  `This node (${id}) was declared gone: it gave the database no sign for longer than BROWSERD_LEASE, or another boot has its place. Its browsers are other nodes' by now, so it ends; started again, it takes part anew.`;
