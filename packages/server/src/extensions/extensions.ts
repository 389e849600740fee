/**
 * The door to extensions: packages that callers uploaded for the browsers of their project.
 *
 *   body ──> its bytes, noted as loose ──> looked through ──> the record ──> unpacked for each Chromium that asks for it
 *
 * Which Chromium loads one, and how, is not known here.
 */
import { randomBytes } from 'node:crypto';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { ApiError } from '../errors.ts';
import { iso } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { ExtensionRecord, Store } from '../store/records.ts';
import { chromiumIdOf } from './manifest.ts';
import { type Package, packageLimits, readPackage, unpackPackage } from './package.ts';
import type { Extension, ManifestView } from './schema.ts';

export { chromiumIdOf } from './manifest.ts';

/** Who may upload: no key, those of admins, every key. */
export type ExtensionsMode = 'off' | 'admin' | 'all';

export interface ExtensionsParts {
  store: Store;
  bytes: KeptBytes;
  mode: ExtensionsMode;
}

/** What of an extension a browser needs. */
export type UsableExtension = Pick<ExtensionRecord, 'id' | 'name' | 'chromiumId' | 'publicKey'>;

const mostOfProject = 100;
export const mostUploadBytes = packageLimits.packedBytes;

export class Extensions {
  readonly #parts: ExtensionsParts;

  constructor(parts: ExtensionsParts) {
    this.#parts = parts;
  }

  /** Throws why a key of this role may neither upload nor delete. */
  refuseChange(role: 'admin' | 'member'): void {
    this.#refuseOff();
    if (this.#parts.mode === 'admin' && role !== 'admin')
      throw new ApiError(
        'FORBIDDEN',
        'Extensions are uploaded and deleted with a key of the role `admin` here. The operator opens it to all keys with BROWSERD_EXTENSIONS=all.',
      );
  }

  async add(
    projectId: string,
    upload: { chunks: AsyncIterable<Uint8Array>; expectedBytes: number },
  ): Promise<Extension> {
    const { store, bytes } = this.#parts;
    const id = newId('extension');
    const { chunks: body, expectedBytes } = upload;
    const { size, sha256 } = await bytes.takeIn(id, projectId, {
      body,
      expectedBytes,
      limitBytes: mostUploadBytes,
    });
    const found = await this.#read(id);
    const key = found.publicKey ?? randomBytes(32);
    const record: ExtensionRecord = {
      id,
      projectId,
      nodeId: bytes.place,
      createdAt: Date.now(),
      name: found.name,
      version: found.version,
      chromiumId: chromiumIdOf(key),
      publicKey: key.toString('base64'),
      manifest: found.manifest,
      size,
      sha256,
    };
    // A database that fails here may have done it all the same: the bytes stay, and the next start knows.
    const options = { most: mostOfProject, quotaBytes: bytes.quota.bytes };
    const outcome = await store.extensions.insert(record, options);
    if (outcome === 'inserted') return extensionView(record);
    await bytes.discard(id);
    throw outcome === 'tooMany' ? tooMany() : bytes.quota.exceeded(await store.artifacts.usage(projectId));
  }

  async #read(id: string): Promise<Package> {
    const { bytes } = this.#parts;
    try {
      await using file = await bytes.borrow(id);
      if (!file) throw new Error('the bytes that were just taken in are gone');
      return await readPackage(file.path);
    } catch (error) {
      await bytes.discard(id);
      throw error;
    }
  }

  list(projectId: string, query: PageQuery): Promise<ListPage<Extension>> {
    const { extensions } = this.#parts.store;
    return pageOfList(query, (page) => extensions.list({ projectId, ...page }), extensionView);
  }

  async get(projectId: string, id: string): Promise<Extension> {
    return extensionView(await this.#find(projectId, id));
  }

  /** When it returns, nothing of it is on the disk. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    const { store, bytes } = this.#parts;
    const outcome = await store.extensions.remove(id, projectId);
    if (outcome === 'gone') throw extensionGone(id);
    if (outcome !== 'removed')
      throw new ApiError(
        'EXTENSION_IN_USE',
        `Browser ${outcome.heldBy} uses the extension ${id}, also while it is stopped. Close it first.`,
        { details: { browserId: outcome.heldBy } },
      );
    await bytes.discard(id);
    return { id, deleted: true };
  }

  /** Those that a browser asks for, in its order; throws when one is missing, or two are one to Chromium. */
  async find(projectId: string, ids: readonly string[]): Promise<UsableExtension[]> {
    this.#refuseOff();
    const found = await Promise.all(ids.map((id) => this.#find(projectId, id)));
    const byChromiumId = Map.groupBy(found, ({ chromiumId }) => chromiumId);
    const same = [...byChromiumId.values()].find(({ length }) => length > 1);
    if (same)
      throw new ApiError(
        'VALIDATION_FAILED',
        `\`extensions\` has ${same.map(({ id }) => id).join(' and ')}, which are one extension to Chromium: they have the same key.`,
      );
    return found;
  }

  /** Into a folder that was just made for it. */
  async unpack(
    extension: UsableExtension,
    folder: string,
    owner: { uid: number; gid: number } | undefined,
  ): Promise<void> {
    await using file = await this.#parts.bytes.borrow(extension.id);
    if (!file) throw extensionGone(extension.id);
    await unpackPackage(file.path, folder, { publicKey: extension.publicKey, owner });
  }

  #refuseOff(): void {
    if (this.#parts.mode === 'off')
      throw new ApiError(
        'FEATURE_UNAVAILABLE',
        'The operator of this server has switched extensions off (BROWSERD_EXTENSIONS=off).',
        { details: { field: 'extensions' } },
      );
  }

  async #find(projectId: string, id: string): Promise<ExtensionRecord> {
    const found = await this.#parts.store.extensions.get(id, projectId);
    if (!found) throw extensionGone(id);
    return found;
  }
}

const extensionView = (record: ExtensionRecord): Extension => ({
  id: record.id,
  name: record.name,
  version: record.version,
  chromiumId: record.chromiumId,
  ...(record.manifest as ManifestView),
  size: record.size,
  sha256: record.sha256,
  createdAt: iso(record.createdAt),
});

export const extensionGone = (id: string): ApiError =>
  new ApiError(
    'EXTENSION_NOT_FOUND',
    `There is no extension ${id.slice(0, 64)} in this project. List them: GET /v1/extensions.`,
  );

const tooMany = (): ApiError =>
  new ApiError(
    'QUOTA_EXCEEDED',
    `The project has ${mostOfProject} extensions, which is as many as it may have. Delete some.`,
    { details: { limit: mostOfProject } },
  );
