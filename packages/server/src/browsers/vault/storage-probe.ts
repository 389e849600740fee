/**
 * Whether the storage that all nodes share takes bytes now, found out by putting a few. A node that goes asks before it ends a
 * Chromium in order to hand its browser over: without its profile the browser would go on with an older one, or none.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { KeptBytes } from '../../artifacts/artifacts.ts';
import { newId } from '../../kit/id.ts';
import type { Log } from '../../kit/log.ts';
import { orAborted } from '../../kit/or-aborted.ts';

export interface ProbeParts {
  bytes: Pick<KeptBytes, 'takeIn' | 'discard'>;
  log: Log;
}

const body = Buffer.from('browserd looks whether this storage takes bytes');
/** What was found out a moment ago holds for all browsers that go together. */
const freshMs = 2000;
const answerMs = 5000;
const pauseMs = 1000;

export class StorageProbe {
  readonly #parts: ProbeParts;
  /** Always the same, so that tries which fail leave one note of loose bytes behind, not many. */
  readonly #id = newId('vault');
  #latest: { at: number; answer: Promise<boolean> } | undefined;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  /** Tried again while it does not, until that moment of `performance.now()`. */
  async takesBytes(projectId: string, until: number): Promise<boolean> {
    while (!(await this.#answer(projectId))) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await delay(Math.min(pauseMs, left), undefined, { ref: false });
    }
    return true;
  }

  #answer(projectId: string): Promise<boolean> {
    const at = performance.now();
    if (this.#latest && at - this.#latest.at < freshMs) return this.#latest.answer;
    const answer = this.#try(projectId);
    this.#latest = { at, answer };
    return answer;
  }

  async #try(projectId: string): Promise<boolean> {
    const { bytes, log } = this.#parts;
    try {
      const put = bytes.takeIn(this.#id, projectId, { body, limitBytes: body.length, uncounted: true });
      await orAborted(put, AbortSignal.timeout(answerMs));
      await bytes.discard(this.#id);
      return true;
    } catch (error) {
      log.warn({ err: error }, 'vault.storage_away');
      return false;
    }
  }
}
