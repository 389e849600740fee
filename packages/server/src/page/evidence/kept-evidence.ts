/**
 * Traces and bundles, from what a call left to a file of its browser:
 *
 *   records of a runner ──> spool ──┐
 *   the answer of the call ─────────┴──> thread: secrets and credentials out, packed ──> artifact
 *
 * Evidence never fails the call that it is about: what cannot be kept is left out, with a reason in the answer.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactRecord, Artifacts } from '../../artifacts/artifacts.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { Masks } from '../../secrets/secrets.ts';
import { Packer, type PackTask } from './packer.ts';
import { TraceSpool } from './trace-spool.ts';

interface EvidenceParts {
  artifacts: Pick<Artifacts, 'add' | 'borrowed'>;
  masks: Pick<Masks, 'matchersOf'>;
  log: Log;
  /** A folder that only the service can enter, empty when it starts. */
  folder: string;
  /** The most that a trace may record. */
  traceLimit: number;
}

/** The file that was made, or why none was. */
export interface Kept {
  fileId?: string;
  omitted?: string;
}

export interface KeptFile extends Kept {
  record?: ArtifactRecord;
}

interface Owner {
  projectId: string;
  browserId: string;
}

/**
 * Text is cleaned of secrets and of tokens in addresses, the caller's own (`isOwn`) of secrets only; pictures are covered
 * where they are taken, and files of the browser were clean before.
 */
export type BundleEntry =
  | { name: string; data: string | Uint8Array; isOwn?: boolean }
  | { name: string; file: ArtifactRecord };

export class Evidence {
  readonly #parts: EvidenceParts;
  readonly #packer = new Packer();

  constructor(parts: EvidenceParts) {
    this.#parts = parts;
  }

  /** Where the trace of one call goes. */
  async openSpool(): Promise<TraceSpool> {
    return TraceSpool.open(this.#parts.folder, this.#parts.traceLimit);
  }

  async keepTrace(owner: Owner, spool: TraceSpool): Promise<KeptFile> {
    const bytes = await spool.finished();
    const over = `It grew larger than ${this.#parts.traceLimit} bytes. Trace a shorter call, or leave out \`screenshots\` or \`snapshots\`.`;
    if (spool.isOver) return { omitted: over };
    if (bytes === 0) return { omitted: 'Nothing was recorded before the call ended.' };
    const made = await this.#keep(owner, spool.folder, 'trace', { trace: spool.path });
    return made.omitted === 'over' ? { omitted: over } : made;
  }

  async keepBundle(owner: Owner, entries: readonly BundleEntry[]): Promise<Kept> {
    await using used = new AsyncDisposableStack();
    const folder = await mkdtemp(join(this.#parts.folder, 'bundle-'));
    used.defer(() => rm(folder, { recursive: true, force: true }));
    const listed = [];
    for (const entry of entries) {
      if (!('file' in entry)) listed.push(entry);
      else listed.push({ name: entry.name, path: used.use(await this.#borrowed(entry.file)).path });
    }
    return await this.#keep(owner, folder, 'bundle', { entries: listed });
  }

  #borrowed(record: ArtifactRecord) {
    const gone = () =>
      new ApiError('FILE_NOT_FOUND', `The file ${record.id} was deleted before it was bundled.`);
    return this.#parts.artifacts.borrowed(record, gone);
  }

  async close(): Promise<void> {
    await this.#packer.close();
  }

  async #keep(
    owner: Owner,
    folder: string,
    source: 'trace' | 'bundle',
    task: Pick<PackTask, 'trace' | 'entries'>,
  ): Promise<KeptFile> {
    const { artifacts, masks, log } = this.#parts;
    const out = join(folder, `${source}.zip`);
    const secrets = masks.matchersOf(owner.projectId);
    const { bytes = 0, omitted } = await this.#packer.pack({ ...task, out, secrets });
    if (omitted) return { omitted };
    const body = createReadStream(out);
    try {
      const record = await artifacts.add({
        ...owner,
        kind: 'file',
        source,
        name: `${source}.zip`,
        mimeType: 'application/zip',
        body,
        expectedBytes: bytes,
        limitBytes: Number.MAX_SAFE_INTEGER,
      });
      return { fileId: record.id, record };
    } catch (error) {
      log.warn({ err: error, browserId: owner.browserId }, `script.${source}_failed`);
      return { omitted: error instanceof ApiError ? error.message : 'It could not be stored.' };
    } finally {
      body.destroy();
    }
  }
}
