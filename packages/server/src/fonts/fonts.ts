/**
 * Fonts of a project: uploaded, looked at, kept, and laid out for the Chromiums of that project and of no other.
 *
 *   upload ──> bytes, loose ──> directory and names read ──> record ──> a folder of fonts for each Chromium that starts
 */
import { open } from 'node:fs/promises';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { ApiError } from '../errors.ts';
import { iso } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import { type ListPage, type PageQuery, pageOfList } from '../kit/page-of-list.ts';
import type { FontRecord, Store } from '../store/records.ts';
import type { Face, Font } from './schema.ts';
import { type FoundFont, readFont } from './sfnt.ts';

export { configurationName, FontSets, type ProjectFonts } from './font-sets.ts';

export interface FontsParts {
  store: Pick<Store, 'fonts' | 'artifacts'>;
  bytes: KeptBytes;
  /** Whether Chromium, which reads fonts outside of its own sandbox, runs in a box of ours. */
  boxed: boolean;
  platform?: NodeJS.Platform;
}

const mostOfProject = 50;
/** Fonts with all letters of Chinese, Japanese and Korean take about 20 MiB. */
export const mostFontBytes = 32 * 1024 ** 2;

export class Fonts {
  readonly #parts: FontsParts;

  constructor(parts: FontsParts) {
    this.#parts = parts;
  }

  /** Throws why a key of this role may not upload here. */
  refuseUpload(role: 'admin' | 'member'): void {
    const { boxed, platform = process.platform } = this.#parts;
    if (platform !== 'linux')
      throw new ApiError(
        'FEATURE_UNAVAILABLE',
        'Chromium takes fonts for one process only on Linux. Send the font with the page: `assets`, or a data: address.',
        { details: { field: 'fonts' } },
      );
    if (!boxed && role !== 'admin')
      throw new ApiError(
        'FORBIDDEN',
        'Without strict isolation a damaged font could harm more than the browsers of its project, so fonts are uploaded with a key of the role `admin` here.',
      );
  }

  /** The record, and whether it is a new one: the same bytes are the same font. */
  async add(
    projectId: string,
    upload: { chunks: AsyncIterable<Uint8Array>; expectedBytes: number },
  ): Promise<{ font: Font; isNew: boolean }> {
    const { store, bytes } = this.#parts;
    const id = newId('font');
    const { size, sha256 } = await bytes.takeIn(id, projectId, {
      body: upload.chunks,
      expectedBytes: upload.expectedBytes,
      limitBytes: mostFontBytes,
    });
    const found = await this.#read(id);
    const record: FontRecord = {
      id,
      projectId,
      nodeId: bytes.place,
      createdAt: Date.now(),
      format: found.format,
      faces: found.faces,
      size,
      sha256,
    };
    // A database that fails here may have done it all the same: the bytes stay, and the next start knows.
    const outcome = await store.fonts.insert(record, {
      most: mostOfProject,
      quotaBytes: bytes.quota.bytes,
    });
    if (outcome === 'inserted') return { font: fontView(record), isNew: true };
    await bytes.discard(id);
    if (typeof outcome === 'object') return { font: fontView(outcome), isNew: false };
    throw outcome === 'tooMany' ? tooMany() : bytes.quota.exceeded(await store.artifacts.usage(projectId));
  }

  async #read(id: string): Promise<FoundFont> {
    const { bytes } = this.#parts;
    try {
      await using borrowed = await bytes.borrow(id);
      if (!borrowed) throw new Error('the bytes that were just taken in are gone');
      await using file = await open(borrowed.path);
      return await readFont(file);
    } catch (error) {
      await bytes.discard(id);
      throw error;
    }
  }

  list(projectId: string, query: PageQuery): Promise<ListPage<Font>> {
    const { fonts } = this.#parts.store;
    return pageOfList(query, (page) => fonts.list({ projectId, ...page }), fontView);
  }

  async get(projectId: string, id: string): Promise<Font> {
    const found = await this.#parts.store.fonts.get(id, projectId);
    if (!found) throw fontGone(id);
    return fontView(found);
  }

  /** A Chromium that runs keeps its copy until it ends. */
  async remove(projectId: string, id: string): Promise<{ id: string; deleted: true }> {
    const { store, bytes } = this.#parts;
    if (!(await store.fonts.remove(id, projectId))) throw fontGone(id);
    await bytes.discard(id);
    return { id, deleted: true };
  }
}

const fontView = ({ id, format, faces, size, sha256, createdAt }: FontRecord): Font => ({
  id,
  format,
  faces: faces as Face[],
  size,
  sha256,
  createdAt: iso(createdAt),
});

const fontGone = (id: string): ApiError =>
  new ApiError(
    'FONT_NOT_FOUND',
    `There is no font ${id.slice(0, 64)} in this project. List them: GET /v1/fonts.`,
  );

const tooMany = (): ApiError =>
  new ApiError(
    'QUOTA_EXCEEDED',
    `The project has ${mostOfProject} fonts, which is as many as it may have. Delete some.`,
    { details: { limit: mostOfProject } },
  );
