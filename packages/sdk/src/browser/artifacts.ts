/** Files, downloads and recordings of a browser: listed, fetched and deleted in the same way. */
import type { ContentAddress, DeletedArtifact, Download, File, Recording } from '../generated/schemas.ts';
import {
  type CallOptions,
  type Content,
  type ContentOptions,
  type Listing,
  type ListOptions,
  listing,
  namedUpload,
  type Uploadable,
  type UploadOptions,
  until,
} from '../http/http.ts';
import { BrowserResource } from './browser-resource.ts';

export interface AddressOptions extends CallOptions {
  /** How long it can be used; an hour unless given. */
  ttlSeconds?: number;
}

export class Files extends BrowserResource {
  list({ limit, ...options }: ListOptions = {}): Listing<File> {
    return listing(this.api, 'FileController_list', { path: this.path, query: { limit } }, options);
  }

  async upload(content: Uploadable, { name, mimeType, ...options }: UploadOptions = {}): Promise<File> {
    const call = namedUpload(content, { name, mimeType });
    return this.api.json('FileController_create', { path: this.path, ...call }, options);
  }

  get(fileId: string, options: CallOptions = {}): Promise<File> {
    return this.api.json('FileController_get', { path: { ...this.path, fileId } }, options);
  }

  content(fileId: string, options: ContentOptions = {}): Promise<Content> {
    return this.api.content('FileController_content', { path: { ...this.path, fileId } }, options);
  }

  /** Of its content, for those who have no key: it streams into a `<video>`, and ends with its time, its record or its key. */
  address(fileId: string, { ttlSeconds, ...options }: AddressOptions = {}): Promise<ContentAddress> {
    const call = { path: { ...this.path, fileId }, body: { ttlSeconds } };
    return this.api.json('FileController_address', call, options);
  }

  delete(fileId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.api.json('FileController_delete', { path: { ...this.path, fileId } }, options);
  }
}

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
    return this.api.content('DownloadController_content', { path: { ...this.path, downloadId } }, options);
  }

  /** Of its content, for those who have no key: it streams into a `<video>`, and ends with its time, its record or its key. */
  address(downloadId: string, { ttlSeconds, ...options }: AddressOptions = {}): Promise<ContentAddress> {
    const call = { path: { ...this.path, downloadId }, body: { ttlSeconds } };
    return this.api.json('DownloadController_address', call, options);
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
    return this.api.content('RecordingController_content', { path: { ...this.path, recordingId } }, options);
  }

  /** Of its content, for those who have no key: it streams into a `<video>`, and ends with its time, its record or its key. */
  address(recordingId: string, { ttlSeconds, ...options }: AddressOptions = {}): Promise<ContentAddress> {
    const call = { path: { ...this.path, recordingId }, body: { ttlSeconds } };
    return this.api.json('RecordingController_address', call, options);
  }

  delete(recordingId: string, options: CallOptions = {}): Promise<DeletedArtifact> {
    return this.api.json('RecordingController_delete', { path: { ...this.path, recordingId } }, options);
  }
}
