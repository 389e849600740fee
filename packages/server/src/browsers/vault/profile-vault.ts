/**
 * Packed profiles in the storage that all nodes share, so that a browser outlives its machine. Each is whole before it counts:
 *
 *   files ──> manifest, files, zstd, sealed ──> bytes, noted as loose ──> compare-and-set with the epoch ──> in force
 *                                                                     └── the browser has moved on: the bytes go
 *
 * A profile is never written over: the one before goes when the record no longer points to it.
 */
import { Readable } from 'node:stream';
import type { KeptBytes } from '../../artifacts/artifacts.ts';
import type { Engine } from '../../kit/engine.ts';
import { newId } from '../../kit/id.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { type Entry, packFolder, type Sealing, unpackFolder } from '../../profiles/profiles.ts';
import type { BrowserRecord, Store } from '../../store/records.ts';
import { settingsIn } from '../record/record.ts';

export interface VaultParts {
  store: Store;
  bytes: KeptBytes;
  sealing: Sealing;
  /** The largest profile that is packed. */
  limitBytes: number;
  /** The release of Chromium that this node has; undefined when it does not say. */
  majorOf(engine: Engine): Promise<number | undefined>;
}

/** What is put: the files as they were at a moment, and whether Chromium had ended by then, with everything written. */
export interface NewProfile {
  files: AsyncIterable<Entry> | Iterable<Entry>;
  at: number;
  hasEnded: boolean;
}

/** What a packed profile says of itself. */
export interface Manifest {
  browserId: string;
  epoch: number;
  /** The moment whose state it is. */
  at: number;
  hasEnded: boolean;
  engine: Engine;
  /** Of the Chromium that wrote it. */
  major: number | null;
}

export class ProfileVault {
  readonly #parts: VaultParts;

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  /** False when the browser has moved on meanwhile, and nothing of this counts. */
  async put(
    record: BrowserRecord,
    { files, at, hasEnded }: NewProfile,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { store, bytes, sealing, limitBytes, majorOf } = this.#parts;
    const { id: browserId, projectId, epoch } = record;
    const { engine } = settingsIn(record);
    const major = (await majorOf(engine)) ?? null;
    const manifest: Manifest = { browserId, epoch, at, hasEnded, engine, major };
    const id = newId('vault');
    const body = packFolder({ manifest, files }, { about: id, sealing });
    const taken = bytes.takeIn(id, projectId, { body, limitBytes, uncounted: true });
    await orCut(taken, body, signal, () => void bytes.discard(id));
    // Not discarded when this fails: the change may have been made all the same. What is loose is swept.
    const pointed = await store.vaults.point(
      { browserId, epoch },
      { id, at, place: bytes.place, engine, major },
    );
    if (!pointed) await bytes.discard(id);
    else if (pointed.before !== null) await bytes.discard(pointed.before);
    return pointed !== undefined;
  }

  /**
   * Lays the profile that is in force out in a folder of the service's own. Fails when there is none that this node can use;
   * with `StorageAwayError` when another try may find it.
   */
  async unpack(
    { id: browserId, vault }: BrowserRecord,
    to: { folder: string; owner?: { uid: number; gid: number } | undefined },
    signal: AbortSignal,
  ): Promise<Manifest> {
    const { bytes, sealing, majorOf } = this.#parts;
    if (vault === null) throw new UnusableProfileError('there is none in the shared storage');
    using patience = openPatience(stallMs, signal);
    const opened = await orAborted(bytes.open(vault), patience.signal).catch(storageAway);
    if (!opened) throw new UnusableProfileError('it is no longer in the shared storage');
    const unpacked = unpackFolder<Manifest>(
      Readable.from(
        each(opened, () => patience.seen()),
        { objectMode: false },
      ),
      { about: vault, sealing },
      {
        ...to,
        async check({ browserId: of, engine, major }) {
          if (of !== browserId)
            throw new UnusableProfileError('what the shared storage has is of another browser');
          const here = await majorOf(engine);
          if (major !== null && here !== undefined && major > here)
            throw new UnusableProfileError(`it is of Chromium ${major}, and this node has ${here}`);
        },
      },
    );
    return orCut(unpacked, opened, patience.signal);
  }

  /** The browser is over. */
  async forget({ id, vault }: BrowserRecord): Promise<void> {
    if (vault === null) return;
    const { store, bytes } = this.#parts;
    const dropped = await store.vaults.drop(id, bytes.place);
    if (dropped !== undefined) await bytes.discard(dropped);
  }
}

/** A storage that says nothing for this long is away. */
const stallMs = 15_000;

/** The storage that all nodes share cannot be read now. */
export class StorageAwayError extends Error {}

/** This node can do nothing with what is there. */
export class UnusableProfileError extends Error {}

function storageAway(cause: unknown): never {
  if (cause instanceof StorageAwayError) throw cause;
  throw new StorageAwayError('the shared storage cannot be read', { cause });
}

async function* each(bytes: AsyncIterable<Uint8Array>, onChunk: () => void): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await chunks.next().catch(storageAway);
      if (done) return;
      onChunk();
      yield value;
    }
  } finally {
    await chunks.return?.();
  }
}

/** The work, or the reason of the signal; then what it reads is ended, and what it may have made all the same goes. */
async function orCut<T>(
  work: Promise<T>,
  stream: { destroy(error?: Error): unknown },
  signal: AbortSignal,
  undo?: () => void,
): Promise<T> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    if (signal.aborted) {
      stream.destroy(signal.reason as Error);
      void work.then(undo, () => undefined);
    }
    throw error;
  }
}

/** A signal that aborts when nothing was seen for a while, or when the other does. */
function openPatience(ms: number, other: AbortSignal): Disposable & { signal: AbortSignal; seen(): void } {
  const tired = new AbortController();
  const timer = setTimeout(() => {
    tired.abort(new StorageAwayError(`the shared storage did not answer within ${ms / 1000} s`));
  }, ms);
  return {
    signal: AbortSignal.any([other, tired.signal]),
    seen: () => void timer.refresh(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}
