/** The files of a project: they belong to no browser, and stay until they are deleted or their time is over. */
import type { AddressOptions } from './browser/browser.ts';
import type { ContentAddress, DeletedArtifact, ProjectFile } from './generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  type Content,
  type ContentOptions,
  type Listing,
  type ListOptions,
  listing,
  namedUpload,
  type Uploadable,
  type UploadOptions,
} from './http/http.ts';

export interface ProjectUploadOptions extends UploadOptions {
  /** Seconds for which it is kept. Without it: until it is deleted. */
  ttlSeconds?: number;
}

export interface ProjectFileFilter extends ListOptions {
  source?: ProjectFile['source'];
  /** Only what this job made. */
  jobId?: string;
}

export class ProjectFiles {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  list({ limit, source, jobId, ...options }: ProjectFileFilter = {}): Listing<ProjectFile> {
    return listing(this.#api, 'ProjectFileController_list', { query: { limit, source, jobId } }, options);
  }

  async upload(
    content: Uploadable,
    { name, mimeType, ttlSeconds, ...options }: ProjectUploadOptions = {},
  ): Promise<ProjectFile> {
    const { query, ...call } = namedUpload(content, { name, mimeType });
    const asked = { ...call, query: { ...query, ttlSeconds } };
    return this.#api.json('ProjectFileController_create', asked, options);
  }

  get(fileId: string, options: CallOptions = {}): Promise<ProjectFile> {
    return this.#api.json('ProjectFileController_get', { path: { fileId } }, options);
  }

  content(fileId: string, options: ContentOptions = {}): Promise<Content> {
    return this.#api.content('ProjectFileController_content', { path: { fileId } }, options);
  }

  /** Of its content, for those who have no key; it ends with its time, with the file or with the key that asked for it. */
  address(fileId: string, { ttlSeconds, ...options }: AddressOptions = {}): Promise<ContentAddress> {
    const call = { path: { fileId }, body: { ttlSeconds } };
    return this.#api.json('ProjectFileController_address', call, options);
  }

  delete(fileId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.#api.json('ProjectFileController_delete', { path: { fileId } }, options);
  }
}
