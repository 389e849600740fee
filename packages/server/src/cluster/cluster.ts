/**
 * This node among those that use the database: its id, which of its runs this is, and the sign that it is alive.
 *
 * One service uses a database. Two would each start browsers that the other knows nothing of, so the second does not start.
 * Whether the first is alive is seen by its heartbeat going on: clocks of two machines are not compared.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../kit/id.ts';
import type { Log } from '../kit/log.ts';
import { SetupError } from '../kit/setup-error.ts';
import type { NodeRecord, Store } from '../store/records.ts';

export interface OwnNode extends AsyncDisposable {
  /** Kept over restarts, so that the node finds its browsers again. */
  readonly id: string;
  /** Tells the runs of the node apart. */
  readonly bootId: string;
  /** Why this run must end: another one has its place. Never settles otherwise. */
  readonly replaced: Promise<string>;
}

export interface Pace {
  heartbeatMs: number;
  /** One that gives no sign for so long has ended without leaving. */
  silenceMs: number;
  lookEveryMs: number;
}

const usual: Pace = { heartbeatMs: 5000, silenceMs: 15_000, lookEveryMs: 250 };
/** A sign older than that, by clocks that may differ, is of a node that ended long ago. */
const longAgoMs = 600_000;

export async function joinCluster(
  { store, dataDir, log }: { store: Store; dataDir: string; log: Log },
  pace = usual,
): Promise<OwnNode> {
  const id = (await fromFile(join(dataDir, 'node-id'))) ?? (await keep(join(dataDir, 'node-id')));
  const bootFile = join(dataDir, 'boot-id');
  const ownBefore = await fromFile(bootFile);
  const bootId = newId('node');
  await boot({ store, log }, { id, bootId }, ownBefore, pace);
  await writeFile(bootFile, `${bootId}\n`, { mode: 0o600 });
  const replaced = Promise.withResolvers<string>();
  const beat = setInterval(() => {
    store.nodes.heartbeat(id, bootId, Date.now()).then(
      (isMine) => {
        if (!isMine) replaced.resolve(copyRuns(id));
      },
      (error) => log.warn({ err: error }, 'heartbeat.failed'),
    );
  }, pace.heartbeatMs).unref();
  return {
    id,
    bootId,
    replaced: replaced.promise,
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      // Without it the next service on the database only waits a moment.
      await store.nodes
        .leave(id, bootId)
        .catch((error: unknown) => log.warn({ err: error }, 'node.leave_failed'));
    },
  };
}

/** Registered once no other is alive. */
async function boot(
  { store, log }: { store: Store; log: Log },
  own: { id: string; bootId: string },
  ownBefore: string | undefined,
  pace: Pace,
): Promise<void> {
  const silent: NodeRecord[] = [];
  for (;;) {
    const now = Date.now();
    const node = { ...own, startedAt: now, heartbeatAt: now };
    const others = await store.nodes.boot(node, { since: now - longAgoMs, silent, ownBefore });
    if (others.length === 0) return;
    log.warn({ nodes: others.map(({ id }) => id), waitMs: pace.silenceMs }, 'node.others_heard');
    const alive = await firstAlive(store, others, pace);
    if (alive) throw new SetupError(alive.id === own.id ? copyRuns(own.id) : anotherRuns(alive));
    silent.push(...others);
  }
}

async function firstAlive(
  store: Store,
  others: readonly NodeRecord[],
  { silenceMs, lookEveryMs }: Pace,
): Promise<NodeRecord | undefined> {
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

const anotherRuns = ({ id, startedAt }: NodeRecord): string =>
  `Another browserd uses this database and is alive: node ${id}, started ${new Date(startedAt).toISOString()}. One database serves one service. Give this one a database of its own (BROWSERD_DATABASE_URL), or stop the other first.`;

const copyRuns = (id: string): string =>
  `Another browserd runs as the same node (${id}) on this database, with a copy of this data folder. Stop one of them. For a second service, remove node-id and boot-id from the copy, and give it a database of its own (BROWSERD_DATABASE_URL).`;

const fromFile = async (path: string): Promise<string | undefined> =>
  (await readFile(path, 'utf8').catch(() => '')).trim() || undefined;

async function keep(path: string): Promise<string> {
  const id = newId('node');
  await writeFile(path, `${id}\n`, { mode: 0o600 });
  return id;
}
