/**
 * A stopped browser may have its newest profile on the disk of its home alone, on the way to the shared storage. Resumed
 * elsewhere, it would lose it: the caller waits for a moment, and is told if that does not help. A home that is gone is not
 * waited for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { BrowserRecord, Store } from '../../store/records.ts';
import { ProfileAwayError } from './restore.ts';

export interface WholeParts {
  store: Store;
  nodeId: string;
  /** Whether another node is alive. */
  isUp(nodeId: string): boolean;
}

const usualPatienceMs = 10_000;
const lookMs = 250;

const isBehind = ({ status, stoppedAt, vaultAt }: BrowserRecord): boolean =>
  status === 'stopped' && stoppedAt !== null && (vaultAt ?? 0) < stoppedAt;

export async function untilWhole(
  { store, nodeId, isUp }: WholeParts,
  record: BrowserRecord,
  signal: AbortSignal,
  patienceMs = usualPatienceMs,
): Promise<void> {
  const until = performance.now() + patienceMs;
  for (
    let now: BrowserRecord | undefined = record;
    now && isBehind(now);
    now = await store.browsers.get(now.id)
  ) {
    if (now.nodeId === null || now.nodeId === nodeId || !isUp(now.nodeId)) return;
    if (performance.now() > until)
      throw new ProfileAwayError(
        now.id,
        new Error(`it is on its way from node ${now.nodeId} to the shared storage`),
      );
    await delay(lookMs);
    signal.throwIfAborted();
  }
}
