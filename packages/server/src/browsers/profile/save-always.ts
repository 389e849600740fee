/** A browser with `save: always` makes a version of its profile while it runs: after a checkpoint, and not too often. */
import type { BrowserRecord } from '../../store/records.ts';
import { type SaveParts, saveProfile, writes } from './save.ts';

export interface AlwaysParts extends SaveParts {
  profileIntervalMs: number;
}

/** Called at each checkpoint, until it has left. */
export function saveAlways(
  parts: AlwaysParts,
  { id, ...record }: BrowserRecord,
  left: AbortSignal,
): () => void {
  if (writes({ id, ...record })?.save !== 'always') return () => undefined;
  let last = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const save = async (): Promise<void> => {
    const now = await parts.store.browsers.get(id);
    if (now?.status === 'ready' && now.epoch === record.epoch) await saveProfile(parts, now, {});
  };
  const due = async (): Promise<void> => {
    await save().catch((error: unknown) =>
      parts.log.warn({ err: error, browserId: id }, 'profile.save_failed'),
    );
    last = performance.now();
    timer = undefined;
  };
  left.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return () => {
    if (left.aborted || timer) return;
    const inMs = Math.max(0, last + parts.profileIntervalMs - performance.now());
    timer = setTimeout(() => void due(), inMs).unref();
  };
}
