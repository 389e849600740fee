/**
 * A node that works alone: no listener, no look-up, no claims but at the start, and a lease that is always held.
 *
 * One such service uses a database. Two would each start browsers that the other knows nothing of, so the second does not
 * start. Whether the first is alive is seen by its heartbeat going on: clocks of two machines are not compared.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../kit/setup-error.ts';
import type { NodeSeen } from '../store/records.ts';
import type { Cluster, Load, Member } from './interface.ts';
import type { JoinParts } from './join-parts.ts';
import { type OwnFiles, readOwnFiles } from './own-files.ts';
import { hopSecret } from './secret.ts';

export interface AlonePace {
  heartbeatMs: number;
  /** One that gives no sign for so long has ended without leaving. */
  silenceMs: number;
  lookEveryMs: number;
}

const usual: AlonePace = { heartbeatMs: 5000, silenceMs: 15_000, lookEveryMs: 250 };
/** A sign older than that, by clocks that may differ, is of a node that ended long ago. */
const longAgoMs = 600_000;
/** There is no other node to leave something to. */
const all = 1_000_000;

export async function joinAlone(parts: JoinParts, pace = usual): Promise<Cluster> {
  const { store, log } = parts;
  const own = await readOwnFiles(parts.dataDir);
  const { id, bootId } = own;
  const startedAt = Date.now();
  await boot(parts, own, pace);
  await own.keepBoot();
  const replaced = Promise.withResolvers<string>();
  let load = (): Load => ({ used: 0, capacity: 0, warm: 0 });
  const renew = async (): Promise<void> => {
    if (await store.nodes.renew({ bootId, ...load() })) return;
    const mine = (await store.nodes.list()).find((node) => node.id === id);
    replaced.resolve(mine?.bootId === bootId ? takenOver(id) : copyRuns(id));
  };
  const beat = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error }, 'heartbeat.failed'));
  }, pace.heartbeatMs).unref();
  const me = (): Member => ({
    ...{ id, bootId, startedAt, version: parts.version ?? null, zone: parts.zone ?? null },
    ...{ address: null, state: 'up', silentMs: 0, ...load() },
  });
  return {
    id,
    bootId,
    alone: true,
    lease: { held: () => true, onChange: () => () => undefined },
    replaced: replaced.promise,
    // There is no other node that could take its browsers.
    drainAsked: new Promise(() => undefined),
    members: () => [me()],
    locate: async () => ({ at: 'here', comesUp: false }),
    roomiest: () => [],
    noteSent: () => undefined,
    secret: hopSecret(store),
    startClaims(adopt) {
      const claimed = store.placement.claim({ bootId, nodeId: id, limit: all, headStartMs: 0 });
      claimed.then(adopt, (error: unknown) => log.error({ err: error }, 'claim.failed'));
      return { look: () => undefined, [Symbol.dispose]: () => undefined };
    },
    report(told) {
      load = told;
    },
    async draining() {
      await store.nodes.drain(bootId);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      // Without it the next service on the database only waits a moment.
      await store.nodes
        .leave(bootId)
        .catch((error: unknown) => log.warn({ err: error }, 'node.leave_failed'));
    },
  };
}

/** Registered once no other is alive. */
async function boot(
  { store, log, version, zone, engines }: JoinParts,
  { id, bootId, bootBefore }: OwnFiles,
  pace: AlonePace,
): Promise<void> {
  const silent: NodeSeen[] = [];
  for (;;) {
    const now = Date.now();
    const node = { id, bootId, startedAt: now, heartbeatAt: now, version, zone, engines };
    const hearing = { since: now - longAgoMs, silent, ownBefore: bootBefore };
    const others = await store.nodes.boot(node, hearing);
    if (others.length === 0) return;
    log.warn({ nodes: others.map((other) => other.id), waitMs: pace.silenceMs }, 'node.others_heard');
    const alive = await firstAlive({ store }, others, pace);
    if (alive) throw new SetupError(alive.id === id ? copyRuns(id) : anotherRuns(alive));
    silent.push(...others);
  }
}

async function firstAlive(
  { store }: Pick<JoinParts, 'store'>,
  others: readonly NodeSeen[],
  { silenceMs, lookEveryMs }: AlonePace,
): Promise<NodeSeen | undefined> {
  const until = performance.now() + silenceMs;
  const before = new Map(others.map((node) => [node.bootId, node.heartbeatAt]));
  while (performance.now() < until) {
    const nodes = await store.nodes.list();
    const goesOn = nodes.find(({ bootId, heartbeatAt }) => {
      const known = before.get(bootId);
      return known !== undefined && heartbeatAt > known;
    });
    if (goesOn) return goesOn;
    const leftOver = nodes.some(({ bootId, heartbeatAt }) => before.get(bootId) === heartbeatAt);
    // They have left meanwhile, or another boot has taken their place: the next look says which.
    if (!leftOver) return undefined;
    await sleep(lookEveryMs);
  }
  return undefined;
}

const anotherRuns = ({ id, startedAt }: NodeSeen): string =>
  `Another browserd uses this database and is alive: node ${id}, started ${new Date(startedAt).toISOString()}. One database serves one service, unless its nodes know of each other. Give this one a database of its own (BROWSERD_DATABASE_URL), stop the other first, or make both nodes of one cluster: set BROWSERD_CLUSTER_ADDRESS on each.`;

const takenOver = (id: string): string =>
  `Another browserd has taken this database over, because this node (${id}) gave no sign for a while. One database serves one service, unless its nodes know of each other (BROWSERD_CLUSTER_ADDRESS).`;

const copyRuns = (id: string): string =>
  `Another browserd runs as the same node (${id}) on this database, with a copy of this data folder. Stop one of them. For a second service, remove node-id and boot-id from the copy, and give it a database of its own (BROWSERD_DATABASE_URL).`;
