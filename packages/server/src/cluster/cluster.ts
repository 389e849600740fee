/** This node among those that use the database: its id, which of its runs this is, and the sign that it is alive. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../kit/id.ts';
import type { Log } from '../kit/log.ts';
import type { Store } from '../store/records.ts';

export interface OwnNode extends Disposable {
  /** Kept over restarts, so that the node finds its browsers again. */
  readonly id: string;
  /** Tells the runs of the node apart. */
  readonly bootId: string;
}

const heartbeatMs = 10_000;

export async function joinCluster({
  store,
  dataDir,
  log,
}: {
  store: Store;
  dataDir: string;
  log: Log;
}): Promise<OwnNode> {
  const file = join(dataDir, 'node-id');
  const known = await readFile(file, 'utf8').catch(() => '');
  const id = known.trim() || newId('node');
  if (!known) await writeFile(file, `${id}\n`, { mode: 0o600 });
  const bootId = newId('node');
  const now = Date.now();
  await store.nodes.boot({ id, bootId, startedAt: now, heartbeatAt: now });
  const beat = setInterval(() => {
    store.nodes
      .heartbeat(id, bootId, Date.now())
      .catch((error) => log.warn({ err: error }, 'heartbeat.failed'));
  }, heartbeatMs).unref();
  return { id, bootId, [Symbol.dispose]: () => clearInterval(beat) };
}
