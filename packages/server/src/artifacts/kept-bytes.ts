/**
 * Bytes on their way to a record, whatever kind of record that is:
 *
 *   announced as loose ──> written, watched by limit and quota ──> the record, which its table inserts ──> loose again, removed
 *
 * Wherever the service is killed, what is loose afterwards is known and is swept.
 */
import type { Readable } from 'node:stream';
import type { Log } from '../kit/log.ts';
import { shareOf } from '../kit/loop-share.ts';
import type { Store } from '../store/records.ts';
import type { Blobs, ByteRange } from './blobs.ts';
import { type Intake, takeIn, tooLarge } from './intake.ts';
import { type Allowance, Quota } from './quota.ts';

export interface KeptBytesParts {
  store: Store;
  blobs: Blobs;
  log: Log;
  nodeId: string;
  bootId: string;
  /** Bytes that a project may have together; null for no limit. */
  quotaBytes: number | null;
}

export interface Body {
  body: AsyncIterable<Uint8Array> | Uint8Array;
  expectedBytes?: number;
  limitBytes: number;
  /** They have a bound of their own instead of the project's quota. */
  uncounted?: boolean;
}

const looseAtOnce = 100;
const unlimited: Allowance = { take: () => undefined, end: () => undefined };

export class KeptBytes {
  readonly #parts: KeptBytesParts;
  readonly quota: Quota;

  constructor(parts: KeptBytesParts) {
    this.#parts = parts;
    this.quota = new Quota(parts.quotaBytes);
  }

  get nodeId(): string {
    return this.#parts.nodeId;
  }

  /** To their place, watched by limit and quota. When it fails, nothing of them is left. */
  async takeIn(
    id: string,
    projectId: string,
    { body, expectedBytes = 0, limitBytes, uncounted = false }: Body,
  ): Promise<ReturnType<Intake['result']>> {
    if (expectedBytes > limitBytes) throw tooLarge(limitBytes);
    const allowance = uncounted ? unlimited : await this.#allowance(projectId, expectedBytes);
    const intake = takeIn(body, shareOf(projectId), (chunk, size) => {
      if (size > limitBytes) throw tooLarge(limitBytes);
      allowance.take(chunk);
    });
    // what is about to be recorded must not count twice
    await this.#keep(id, intake.chunks, expectedBytes).finally(() => allowance.end());
    return intake.result();
  }

  async #allowance(projectId: string, expectedBytes: number): Promise<Allowance> {
    const used = await this.#parts.store.artifacts.usage(projectId);
    return this.quota.begin(projectId, used, expectedBytes);
  }

  open(id: string, range?: ByteRange): Promise<Readable | undefined> {
    return this.#parts.blobs.open(id, range);
  }

  path(id: string): Promise<string> {
    return this.#parts.blobs.path(id);
  }

  /** A failure needs no report: what stays loose is swept later. */
  async discard(id: string): Promise<boolean> {
    try {
      await this.#parts.blobs.remove(id);
      // Those on the disk of another node stay noted until that node removes them.
      await this.#parts.store.artifacts.forget([id], this.#parts.nodeId);
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error, artifactId: id }, 'artifact.discard_failed');
      return false;
    }
  }

  /** Removes the bytes of records that are gone, and what a killed service was writing. */
  async sweep(): Promise<number> {
    const { store, nodeId, bootId } = this.#parts;
    let removed = 0;
    for (let after = ''; ; ) {
      const ids = await store.artifacts.loose({ nodeId, bootId }, after, looseAtOnce);
      for (const id of ids) if (await this.discard(id)) removed++;
      const last = ids.at(-1);
      if (last === undefined || ids.length < looseAtOnce) return removed;
      after = last;
    }
  }

  async #keep(id: string, chunks: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<void> {
    const { store, blobs, nodeId, bootId } = this.#parts;
    await store.artifacts.announce(id, { nodeId, bootId });
    try {
      await blobs.put(id, chunks, expectedBytes);
    } catch (error) {
      await this.discard(id);
      throw error;
    }
  }
}
