/** Files, downloads and recordings of a browser: listed, fetched and deleted in the same way. */
import { invalidArgument } from '../errors.ts';
import type { DeletedArtifact, Download, File, Recording } from '../generated/schemas.ts';
import {
  type Api,
  type CallOptions,
  type Content,
  type Listing,
  type ListOptions,
  listing,
  type OperationId,
  type Uploadable,
  until,
  uploadOf,
} from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export interface ContentOptions extends CallOptions {
  /** Only these bytes, both ends included. */
  range?: { start: number; end?: number };
}

export interface UploadOptions extends CallOptions {
  /** Required unless the content is a `File`, which has a name. */
  name?: string;
  mimeType?: string;
}

const bytes = (
  api: Api,
  id: OperationId,
  path: Record<string, string>,
  { range, ...options }: ContentOptions,
): Promise<Content> => {
  const headers = range && { range: `bytes=${range.start}-${range.end ?? ''}` };
  return api.content(id, { path, ...(headers && { headers }) }, options);
};

export class Files extends BrowserResource {
  list({ limit, ...options }: ListOptions = {}): Listing<File> {
    return listing(this.api, 'FileController_list', { path: this.path, query: { limit } }, options);
  }

  async upload(content: Uploadable, { name, mimeType, ...options }: UploadOptions = {}): Promise<File> {
    const file = content as { name?: unknown; type?: unknown };
    const called = name ?? (typeof file.name === 'string' ? file.name : undefined);
    if (!called) throw invalidArgument('A file needs a name: files.upload(content, { name: "report.csv" }).');
    const type =
      mimeType ?? (typeof file.type === 'string' && file.type ? file.type : 'application/octet-stream');
    const sent = { ...uploadOf(content), mimeType: type };
    const call = { path: this.path, query: { name: called }, bytes: sent, takesMs: uploadMs };
    return this.api.json('FileController_create', call, options);
  }

  get(fileId: string, options: CallOptions = {}): Promise<File> {
    return this.api.json('FileController_get', { path: { ...this.path, fileId } }, options);
  }

  content(fileId: string, options: ContentOptions = {}): Promise<Content> {
    return bytes(this.api, 'FileController_content', { ...this.path, fileId }, options);
  }

  delete(fileId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.api.json('FileController_delete', { path: { ...this.path, fileId } }, options);
  }
}
/** The answer to an upload comes after its last byte. */
const uploadMs = 3_600_000;

export class Downloads extends BrowserResource {
  list({ limit, ...options }: ListOptions = {}): Listing<Download> {
    return listing(this.api, 'DownloadController_list', { path: this.path, query: { limit } }, options);
  }

  get(downloadId: string, options: CallOptions = {}): Promise<Download> {
    return this.api.json('DownloadController_get', { path: { ...this.path, downloadId } }, options);
  }

  /** Waits until it has completed, failed or been cancelled. `signal` limits the wait. */
  finished(downloadId: string, options: CallOptions = {}): Promise<Download> {
    return until(
      () => this.get(downloadId, options),
      ({ state }) => state !== 'inProgress',
      options,
    );
  }

  content(downloadId: string, options: ContentOptions = {}): Promise<Content> {
    return bytes(this.api, 'DownloadController_content', { ...this.path, downloadId }, options);
  }

  delete(downloadId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.api.json('DownloadController_delete', { path: { ...this.path, downloadId } }, options);
  }
}

export class Recordings extends BrowserResource {
  list({ limit, ...options }: ListOptions = {}): Listing<Recording> {
    return listing(this.api, 'RecordingController_list', { path: this.path, query: { limit } }, options);
  }

  /** Gives the recording that is running, if there is one. */
  start(options: CallOptions = {}): Promise<Recording> {
    return this.api.json('RecordingController_create', { path: this.path }, options);
  }

  get(recordingId: string, options: CallOptions = {}): Promise<Recording> {
    return this.api.json('RecordingController_get', { path: { ...this.path, recordingId } }, options);
  }

  stop(recordingId: string, options: CallOptions = {}): Promise<Recording> {
    return this.api.json('RecordingController_stop', { path: { ...this.path, recordingId } }, options);
  }

  /** Waits until its video is ready or has failed. */
  finished(recordingId: string, options: CallOptions = {}): Promise<Recording> {
    return until(
      () => this.get(recordingId, options),
      ({ state }) => state === 'ready' || state === 'failed',
      options,
    );
  }

  content(recordingId: string, options: ContentOptions = {}): Promise<Content> {
    return bytes(this.api, 'RecordingController_content', { ...this.path, recordingId }, options);
  }

  delete(recordingId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.api.json('RecordingController_delete', { path: { ...this.path, recordingId } }, options);
  }
}
