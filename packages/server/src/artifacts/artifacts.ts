/**
 * What browsers were given and what they made, kept for as long as the record of the browser:
 *
 *   body ──> intake (size, hash, limits) ──> blobs      the bytes
 *                                       └──> store      the record, once all bytes are safe
 *
 * A download or a recording is listed before it has bytes:
 *
 *   begin ──change──> … ──complete──> finished, with bytes       change(…, finished) ──> finished, without
 */
import type { Readable } from 'node:stream';
import { ApiError } from '../errors.ts';
import { newId } from '../kit/id.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { ArtifactKind, ArtifactRecord, NewEvent } from '../store/records.ts';
import type { BorrowedFile, ByteRange } from './blobs.ts';
import { KeptBytes, type KeptBytesParts } from './kept-bytes.ts';
import { mediaTypeOf } from './media-type.ts';
import { safeName } from './name.ts';
import type { ArtifactChange, BegunArtifact, Completion, NewArtifact } from './new-artifact.ts';
import { type BlobsConfig, openBlobs } from './open-blobs.ts';
import type { Allowance } from './quota.ts';

export interface ArtifactsParts extends KeptBytesParts {
  closeBlobs?(): Promise<void>;
  onAdded?(record: ArtifactRecord): void;
  /** An artifact was refused, with this error code. */
  onRefused?(code: string): void;
}

export interface Owner {
  projectId: string;
  browserId: string;
}

export type { ArtifactRecord } from '../store/records.ts';
export type { ByteRange } from './blobs.ts';
export { fileView } from './file-view.ts';
export type { KeptBytes } from './kept-bytes.ts';
export { mediaTypeOf } from './media-type.ts';
export { safeName } from './name.ts';
export type { NewArtifact } from './new-artifact.ts';
export { type BlobsConfig, blobsEndpoint, checkBlobs, openBlobsBeside } from './open-blobs.ts';
export type { Allowance } from './quota.ts';

export class Artifacts implements AsyncDisposable {
  readonly #parts: ArtifactsParts;
  /** For records of other rooms whose bytes lie beside those of artifacts. */
  readonly bytes: KeptBytes;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: ArtifactsParts) {
    this.#parts = parts;
    this.bytes = new KeptBytes(parts);
  }

  /** When it returns, record and bytes outlive a kill of the service; when it fails, nothing of it is left. */
  async add(artifact: NewArtifact): Promise<ArtifactRecord> {
    const { onAdded, onRefused } = this.#parts;
    try {
      const record = await this.#watched(this.#add(artifact));
      onAdded?.(record);
      return record;
    } catch (error) {
      onRefused?.(error instanceof ApiError ? error.code : 'INTERNAL');
      throw error;
    }
  }

  /** From now on it is listed, and this boot must finish it: by `complete`, or by `change`. */
  begin(artifact: BegunArtifact, events?: readonly NewEvent[]): Promise<ArtifactRecord> {
    return this.#watched(this.#begin(artifact, events));
  }

  /** Undefined when it was removed meanwhile. `finished`: nothing more comes. */
  change(
    record: ArtifactRecord,
    change: ArtifactChange & { finished?: boolean },
  ): Promise<ArtifactRecord | undefined> {
    return this.#watched(this.#change(record, change));
  }

  /** Finished with these bytes; undefined when it was removed meanwhile. When it fails, it is still unfinished. */
  complete(record: ArtifactRecord, completion: Completion): Promise<ArtifactRecord | undefined> {
    return this.#watched(this.#complete(record, completion));
  }

  /** For bytes that gather elsewhere before they come here: `take` throws when the quota has no room for them. */
  async allowance(projectId: string): Promise<Allowance> {
    return this.bytes.quota.begin(projectId, await this.#parts.store.artifacts.usage(projectId), 0);
  }

  /** What earlier boots left unfinished; from now on this boot must finish it. */
  inherit(): Promise<ArtifactRecord[]> {
    const { store, nodeId, bootId } = this.#parts;
    return store.artifacts.inherit({ nodeId, bootId });
  }

  /** What nodes left unfinished that have been gone for so long; from now on this boot must finish it. */
  inheritLost(kind: ArtifactKind, goneForMs: number): Promise<ArtifactRecord[]> {
    const { store, bootId } = this.#parts;
    return store.artifacts.inheritLost(bootId, kind, goneForMs);
  }

  list(owner: Owner & { kind: ArtifactKind }, query: PageQuery): Promise<ListPage<ArtifactRecord>> {
    return pageOfList(
      query,
      (page) => this.#parts.store.artifacts.list({ ...owner, ...page }),
      (record) => record,
    );
  }

  get(owner: Owner, id: string): Promise<ArtifactRecord | undefined> {
    return this.#parts.store.artifacts.get(id, owner);
  }

  /** Undefined when it was removed meanwhile. */
  open(record: ArtifactRecord, range?: ByteRange): Promise<Readable | undefined> {
    return this.bytes.open(record.id, range);
  }

  /**
   * A file with the bytes, until it is given back. Only the service may read it, and its name is not the artifact's. When it was
   * removed meanwhile, the error of `gone`.
   */
  async borrowed(record: ArtifactRecord, gone: () => Error): Promise<BorrowedFile> {
    const file = await this.bytes.borrow(record.id);
    if (!file) throw gone();
    return file;
  }

  /** False when there is none. */
  remove(owner: Owner, id: string): Promise<boolean> {
    return this.#watched(this.#remove(owner, id));
  }

  /** Removes the bytes of records that are gone, and what a killed service was writing: of this node, or of all. */
  sweepOrphans(of: 'this node' | 'all nodes'): Promise<number> {
    return this.#watched(of === 'this node' ? this.bytes.sweepOwn() : this.bytes.sweepShared());
  }

  /** Returns when nothing touches the bytes or the store any more. What feeds `add` has ended before. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#underWay);
    await this.#parts.closeBlobs?.();
  }

  async #add(artifact: NewArtifact): Promise<ArtifactRecord> {
    const { projectId, browserId, kind, source, details = {} } = artifact;
    const id = newId(kind);
    const { size, sha256, head } = await this.bytes.takeIn(id, projectId, artifact);
    const name = safeName(artifact.name);
    const mimeType = mediaTypeOf({ head, name, declared: artifact.mimeType });
    try {
      artifact.accepts?.(mimeType);
    } catch (error) {
      await this.bytes.discard(id);
      throw error;
    }
    const nodeId = this.bytes.place;
    const createdAt = Date.now();
    const what = { kind, state: 'ready', bootId: null, source, name, mimeType, size, sha256, details };
    return this.#record({ id, projectId, browserId, nodeId, ...what, createdAt });
  }

  async #begin(artifact: BegunArtifact, events?: readonly NewEvent[]): Promise<ArtifactRecord> {
    const { projectId, browserId, kind, state, source, details = {} } = artifact;
    const { nodeId, bootId } = this.#parts;
    const name = safeName(artifact.name);
    const mimeType = artifact.mimeType ?? mediaTypeOf({ head: new Uint8Array(0), name });
    const what = { kind, state, bootId, source, name, mimeType, size: 0, sha256: '', details };
    const createdAt = Date.now();
    const id = artifact.id ?? newId(kind);
    return this.#record({ id, projectId, browserId, nodeId, ...what, createdAt }, events);
  }

  async #change(
    record: ArtifactRecord,
    { state, details, events, finished = false }: ArtifactChange & { finished?: boolean },
  ): Promise<ArtifactRecord | undefined> {
    const { store, bootId } = this.#parts;
    const patch = { state, ...(details && { details }), ...(finished && { bootId: null }) };
    const changed = await store.artifacts.change(record.id, bootId, patch, null, events);
    return typeof changed === 'string' ? undefined : changed;
  }

  async #complete(record: ArtifactRecord, completion: Completion): Promise<ArtifactRecord | undefined> {
    const { id, projectId, name, mimeType: declared } = record;
    const { store, bootId } = this.#parts;
    const { size, sha256, head } = await this.bytes.takeIn(id, projectId, completion);
    const { state, details, events } = completion;
    const mimeType = mediaTypeOf({ head, name, declared });
    const made = { state, bootId: null, nodeId: this.bytes.place, mimeType, size, sha256 };
    const patch = { ...made, ...(details && { details }) };
    const outcome = await store.artifacts.change(id, bootId, patch, this.bytes.quota.bytes, events);
    if (typeof outcome !== 'string') return outcome;
    await this.bytes.discard(id);
    if (outcome === 'overQuota') throw this.bytes.quota.exceeded(await store.artifacts.usage(projectId));
    return undefined;
  }

  /** A database that fails here may have done it all the same: the bytes stay, and the next start knows. */
  async #record(record: ArtifactRecord, events?: readonly NewEvent[]): Promise<ArtifactRecord> {
    const { store } = this.#parts;
    const outcome = await store.artifacts.insert(record, this.bytes.quota.bytes, events);
    if (outcome === 'inserted') return record;
    await this.bytes.discard(record.id);
    if (outcome === 'overQuota')
      throw this.bytes.quota.exceeded(await store.artifacts.usage(record.projectId));
    throw new ApiError('BROWSER_NOT_FOUND', `Browser ${record.browserId} is gone, and its files with it.`);
  }

  async #remove(owner: Owner, id: string): Promise<boolean> {
    const record = await this.get(owner, id);
    if (!(await this.#parts.store.artifacts.remove(id, owner))) return false;
    // a writer of one of them finds its record gone and removes what it has written
    if (record?.bootId === null) await this.bytes.discard(id);
    return true;
  }

  #watched<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    const done = (): boolean => this.#underWay.delete(work);
    work.then(done, done);
    return work;
  }
}

/** Builds this room; `config` holds what the operator decides. */
export async function openArtifacts({
  config,
  node,
  ...parts
}: Omit<ArtifactsParts, 'blobs' | 'shared' | 'closeBlobs' | 'nodeId' | 'bootId' | 'quotaBytes'> & {
  config: BlobsConfig & { storageQuota: number | null };
  node: { id: string; bootId: string };
}): Promise<Artifacts> {
  const { blobs, shared, diskBytes, ...opened } = await openBlobs(config);
  return new Artifacts({
    ...parts,
    blobs,
    shared,
    closeBlobs: async () => opened[Symbol.asyncDispose](),
    nodeId: node.id,
    bootId: node.bootId,
    // By default no project fills the disk for all others. A bucket has no end.
    quotaBytes: config.storageQuota ?? (diskBytes === null ? null : Math.floor(diskBytes / 2)),
  });
}
