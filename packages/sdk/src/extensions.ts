/** The extensions of a project, for browsers that are created with them. */
import type { DeletedExtension, Extension } from './generated/schemas.ts';
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

export class Extensions {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ limit, ...options }: ListOptions = {}): Listing<Extension> {
    return listing(this.#api, 'ExtensionController_list', { query: { limit } }, options);
  }

  /** A ZIP file with `manifest.json` at its top, or a CRX. Needs a key of the role `admin`, unless the operator opened it. */
  upload(content: Uploadable, options: CallOptions = {}): Promise<Extension> {
    const bytes = { ...uploadOf(content), mimeType: 'application/octet-stream' };
    return this.#api.json('ExtensionController_create', { bytes, takesMs: uploadMs }, options);
  }

  get(extensionId: string, options: CallOptions = {}): Promise<Extension> {
    return this.#api.json('ExtensionController_get', { path: { extensionId } }, options);
  }

  /** Not while a browser uses it. */
  delete(extensionId: string, options: CallOptions = {}): Promise<DeletedExtension> {
    return this.#api.json('ExtensionController_delete', { path: { extensionId } }, options);
  }
}
