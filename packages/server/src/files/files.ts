/**
 * The door to the files of a project: uploads and captures that belong to no browser and outlive the call that made them.
 *
 *   content ──> its bytes, noted as loose ──> the record ──> read, also in parts ──> deleted, expired, or gone with its job
 *
 * They count into the quota of the project. One that is deleted while it is read is read to its end.
 */
import type { Readable } from 'node:stream';
import { type ByteRange, type KeptBytes, mediaTypeOf, safeName } from '../artifacts/artifacts.ts';
import { ApiError } from '../errors.ts';
import { iso } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { ProjectFileRecord, Store } from '../store/records.ts';
import type { ProjectFile, ProjectFileSource } from './schema.ts';

export type { ProjectFileRecord } from '../store/records.ts';

export interface ProjectFilesParts {
  store: Store;
  bytes: KeptBytes;
  bootId: string;
  /** Of one file. */
  limitBytes: number;
  onAdded?(file: { kind: string; size: number }): void;
  /** A file was refused, with this error code. */
  onRefused?(code: string): void;
}

export interface NewProjectFile {
  projectId: string;
  /** Cleaned here. */
  name: string;
  /** What the sender calls it. A hint: the bytes decide. */
  mimeType?: string;
  source: ProjectFileSource;
  content: Uint8Array | AsyncIterable<Uint8Array>;
  /** Where it is known beforehand, one that is too large is refused before it is read. */
  expectedBytes?: number;
  /** Without it, and without `ttlSeconds`: until it is deleted. */
  expiresAt?: number | null;
  /** Counted from when all of it is there: a slow upload is not over before it begins. */
  ttlSeconds?: number | null;
  /** The job that makes it. */
  jobId?: string;
}

const removedAtOnce = 500;

export class ProjectFiles {
  readonly #parts: ProjectFilesParts;

  constructor(parts: ProjectFilesParts) {
    this.#parts = parts;
  }

  /** When it returns, record and bytes outlive a kill of the service; when it fails, nothing of it is left. */
  async add(file: NewProjectFile): Promise<ProjectFileRecord> {
    const [record] = await this.addAll(file.projectId, [file]);
    if (!record) throw new Error('a file that was kept has a record');
    return record;
  }

  /**
   * All or none, of one project. With the Idempotency-Key of the request that makes them, a service that takes the request over
   * after a kill learns their ids.
   */
  async addAll(
    projectId: string,
    files: readonly Omit<NewProjectFile, 'projectId'>[],
    idempotencyKey?: string,
  ): Promise<ProjectFileRecord[]> {
    const { onAdded, onRefused } = this.#parts;
    try {
      const records = await this.#addAll(projectId, files, idempotencyKey);
      for (const { size } of records) onAdded?.({ kind: 'file', size });
      return records;
    } catch (error) {
      onRefused?.(error instanceof ApiError ? error.code : 'INTERNAL');
      throw error;
    }
  }

  async #addAll(
    projectId: string,
    files: readonly Omit<NewProjectFile, 'projectId'>[],
    key?: string,
  ): Promise<ProjectFileRecord[]> {
    const { store, bytes, bootId } = this.#parts;
    const records: ProjectFileRecord[] = [];
    const discard = () => Promise.all(records.map(({ id }) => bytes.discard(id)));
    try {
      for (const file of files) records.push(await this.#takeIn(projectId, file));
    } catch (error) {
      await discard();
      throw error;
    }
    // A database that fails here may have done it all the same: the bytes stay, and the next start knows.
    const options = { quotaBytes: bytes.quota.bytes, ...(key && { idempotency: { key, bootId } }) };
    if ((await store.projectFiles.insert(records, options)) === 'inserted') return records;
    await discard();
    throw bytes.quota.exceeded(await store.artifacts.usage(projectId));
  }

  async #takeIn(
    projectId: string,
    { content, expectedBytes, ...file }: Omit<NewProjectFile, 'projectId'>,
  ): Promise<ProjectFileRecord> {
    const { bytes, limitBytes } = this.#parts;
    const id = newId('file');
    const body = { body: content, expectedBytes, limitBytes };
    const { size, sha256, head } = await bytes.takeIn(id, projectId, body);
    const name = safeName(file.name);
    const createdAt = Date.now();
    return {
      id,
      projectId,
      nodeId: bytes.place,
      jobId: file.jobId ?? null,
      source: file.source,
      name,
      mimeType: mediaTypeOf({ head, name, declared: file.mimeType }),
      size,
      sha256,
      createdAt,
      expiresAt: file.ttlSeconds ? createdAt + file.ttlSeconds * 1000 : (file.expiresAt ?? null),
    };
  }

  list(
    projectId: string,
    { source, jobId, ...query }: PageQuery & { source?: ProjectFileSource; jobId?: string },
  ): Promise<ListPage<ProjectFile>> {
    const { projectFiles } = this.#parts.store;
    const now = Date.now();
    const which = { projectId, now, source, jobId };
    return pageOfList(query, (page) => projectFiles.list({ ...which, ...page }), projectFileView);
  }

  get(projectId: string, id: string): Promise<ProjectFileRecord | undefined> {
    return this.#parts.store.projectFiles.get(id, { projectId, now: Date.now() });
  }

  /** Throws when there is none in the project. */
  async find(projectId: string, id: string): Promise<ProjectFileRecord> {
    const found = await this.get(projectId, id);
    if (!found) throw projectFileGone();
    return found;
  }

  /** Undefined when it was removed meanwhile. */
  open(record: ProjectFileRecord, range?: ByteRange): Promise<Readable | undefined> {
    return this.#parts.bytes.open(record.id, range);
  }

  /** All of it at once; throws when there is none, or more than the reader can take. */
  async read(
    projectId: string,
    id: string,
    mostBytes: number,
  ): Promise<{ record: ProjectFileRecord; bytes: Buffer }> {
    const record = await this.get(projectId, id);
    if (!record) throw projectFileGone(id);
    if (record.size > mostBytes)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        `The file ${id} has ${record.size} bytes; at most ${mostBytes} can be used here. Use a smaller one.`,
        { details: { fileId: id, size: record.size, limitBytes: mostBytes } },
      );
    const opened = await this.open(record);
    if (!opened) throw projectFileGone(id);
    return { record, bytes: Buffer.concat(await opened.toArray()) };
  }

  /** False when there is none. When it returns, nothing of it is on the disk. */
  async remove(projectId: string, id: string): Promise<boolean> {
    const { store, bytes } = this.#parts;
    if (!(await store.projectFiles.remove(id, projectId))) return false;
    await bytes.discard(id);
    return true;
  }

  /** When it returns, nothing that the job made is on the disk. */
  async removeOfJob(projectId: string, jobId: string): Promise<number> {
    const { store, bytes } = this.#parts;
    for (let removed = 0; ; ) {
      const ids = await store.projectFiles.removeOfJob(jobId, projectId, removedAtOnce);
      if (ids.length === 0) return removed;
      for (const id of ids) await bytes.discard(id);
      removed += ids.length;
    }
  }

  /** The records of those whose time is over; their bytes are loose then, and swept as such. Returns how many. */
  async sweepExpired(signal?: AbortSignal): Promise<number> {
    const { projectFiles } = this.#parts.store;
    for (let removed = 0; ; ) {
      const count = await projectFiles.removeExpired(Date.now(), removedAtOnce);
      removed += count;
      if (count < removedAtOnce || signal?.aborted) return removed;
    }
  }
}

export const projectFileView = (record: ProjectFileRecord): ProjectFile => ({
  id: record.id,
  name: record.name,
  size: record.size,
  mimeType: record.mimeType,
  sha256: record.sha256,
  source: record.source as ProjectFileSource,
  jobId: record.jobId,
  createdAt: iso(record.createdAt),
  expiresAt: record.expiresAt === null ? null : iso(record.expiresAt),
});

/** Where several are asked for, its id says which. */
export const projectFileGone = (id?: string): ApiError =>
  new ApiError(
    'FILE_NOT_FOUND',
    `There is no ${id === undefined ? 'such file' : `file ${id}`} in this project, or its time is over. List them: GET /v1/files.`,
  );
