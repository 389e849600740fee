/** Removes jobs that were deleted, or are past their time, with their pages, results and files: bit by bit, so that others get their turn. */
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import type { ProjectFiles } from '../files/files.ts';
import type { Store } from '../store/records.ts';

export interface PastJobsParts {
  store: Store;
  bytes: Pick<KeptBytes, 'discard' | 'places'>;
  files: Pick<ProjectFiles, 'removeOfJob'>;
}

const pagesAtOnce = 200;
const jobsAtOnce = 20;

export class PastJobs {
  readonly #parts: PastJobsParts;

  constructor(parts: PastJobsParts) {
    this.#parts = parts;
  }

  /** When it returns, nothing of the job is left. What a killed service leaves is found by the next sweep. */
  async remove({ id, projectId }: { id: string; projectId: string }, signal?: AbortSignal): Promise<void> {
    const { store, bytes, files } = this.#parts;
    await files.removeOfJob(projectId, id);
    while (!signal?.aborted) {
      const { all, loose } = await store.jobs.removeSome(id, pagesAtOnce);
      // The disk of another node has the rest; it finds them loose.
      for (const { id: resultId, nodeId } of loose)
        if (bytes.places.includes(nodeId)) await bytes.discard(resultId);
      if (all) return;
      await othersTurn();
    }
  }

  /** Returns how many jobs went. */
  async sweep(endedBefore: number, signal?: AbortSignal): Promise<number> {
    for (let removed = 0; ; ) {
      const past = await this.#parts.store.jobs.past(endedBefore, jobsAtOnce);
      for (const job of past) {
        if (signal?.aborted) return removed;
        await this.remove(job, signal);
        removed++;
      }
      if (past.length < jobsAtOnce) return removed;
    }
  }
}
