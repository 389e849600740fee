/** The fonts of a project, which its pages find by name. */
import type { DeletedFont, Font } from './generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  type Listing,
  type ListOptions,
  listing,
  type Uploadable,
  uploadOf,
} from './http/http.ts';

/** The answer to an upload comes after its last byte. */
const uploadMs = 3_600_000;

export class Fonts {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ limit, ...options }: ListOptions = {}): Listing<Font> {
    return listing(this.#api, 'FontController_list', { query: { limit } }, options);
  }

  /** A TTF, an OTF or a TTC. The same bytes again give the font that is there. */
  upload(content: Uploadable, options: CallOptions = {}): Promise<Font> {
    const bytes = { ...uploadOf(content), mimeType: 'application/octet-stream' };
    return this.#api.json('FontController_create', { bytes, takesMs: uploadMs }, options);
  }

  get(fontId: string, options: CallOptions = {}): Promise<Font> {
    return this.#api.json('FontController_get', { path: { fontId } }, options);
  }

  /** A browser that runs keeps the fonts it started with. */
  delete(fontId: string, options: CallOptions = {}): Promise<DeletedFont> {
    return this.#api.json('FontController_delete', { path: { fontId } }, options);
  }
}
