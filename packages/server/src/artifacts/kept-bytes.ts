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
import type { Blobs, BorrowedFile, ByteRange } from './blobs.ts';
import { type Intake, takeIn, tooLarge } from './intake.ts';
import { type Allowance, Quota } from './quota.ts';

export interface KeptBytesParts {
  store: Store;
  blobs: Blobs;
  log: Log;
  nodeId: string;
  bootId: string;
  /** The bytes lie where all nodes find them. */
  shared: boolean;
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
/** In a row: then the storage is away, and the next round is early enough. */
const mostFailures = 10;
/** What records say of bytes that all nodes find, instead of the id of a node. */
const sharedPlace = 'shared';
const unlimited: Allowance = { take: () => undefined, end: () => undefined };

export class KeptBytes {
  readonly #parts: KeptBytesParts;
  readonly quota: Quota;

  constructor(parts: KeptBytesParts) {
    this.#parts = parts;
    this.quota = new Quota(parts.quotaBytes);
  }

  /** Where new bytes lie, for their record. */
  get place(): string {
    return this.#parts.shared ? sharedPlace : this.#parts.nodeId;
  }

  /** All places that this node reaches: with shared storage also its own disk, which may have older bytes. */
  get places(): readonly string[] {
    return this.#parts.shared ? [sharedPlace, this.#parts.nodeId] : [this.#parts.nodeId];
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

  /** A file on this machine with the bytes, until it is given back. Undefined when they were removed meanwhile. */
  borrow(id: string): Promise<BorrowedFile | undefined> {
    return this.#parts.blobs.borrow(id);
  }

  /** A failure needs no report: what stays loose is swept later. */
  async discard(id: string): Promise<boolean> {
    return this.#discard(id, async () => {
      await this.#parts.blobs.remove(id);
      // Those on the disk of another node stay noted until that node removes them.
      await this.#parts.store.artifacts.forget([id], this.places);
    });
  }

  /** Removes, on the disk of this node, the bytes of records that are gone, and what killed services were writing. */
  sweepOwn(): Promise<number> {
    return this.#sweep(this.#parts.nodeId);
  }

  /** The same where all nodes find them: one node does it for all. */
  async sweepShared(): Promise<number> {
    return this.#parts.shared ? await this.#sweep(sharedPlace) : 0;
  }

  async #sweep(place: string): Promise<number> {
    const { store, bootId } = this.#parts;
    const at = { nodeId: place, bootId, shared: place === sharedPlace };
    let removed = 0;
    let failures = 0;
    for (let after = ''; ; ) {
      const loose = await store.artifacts.takeLoose(at, after, looseAtOnce);
      for (const bytes of loose) {
        const gone = await this.#discard(bytes.id, () => this.#clear(bytes));
        if (gone) removed++;
        failures = gone ? 0 : failures + 1;
        if (failures === mostFailures) return removed;
      }
      const last = loose.at(-1);
      if (last === undefined || loose.length < looseAtOnce) return removed;
      after = last.id;
    }
  }

  async #clear({
    id,
    wasCut,
    mayComeLate,
  }: {
    id: string;
    wasCut: boolean;
    mayComeLate: boolean;
  }): Promise<void> {
    const { store, blobs } = this.#parts;
    await (wasCut ? blobs.clear(id) : blobs.remove(id));
    await (mayComeLate ? store.artifacts.markSwept([id]) : store.artifacts.forget([id], this.places));
  }

  async #discard(id: string, remove: () => Promise<void>): Promise<boolean> {
    try {
      await remove();
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error, artifactId: id }, 'artifact.discard_failed');
      return false;
    }
  }

  async #keep(id: string, chunks: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<void> {
    const { store, blobs, bootId } = this.#parts;
    await store.artifacts.announce(id, { nodeId: this.place, bootId });
    try {
      await blobs.put(id, chunks, expectedBytes);
    } catch (error) {
      await this.discard(id);
      throw error;
    }
  }
}
