/** The way to the service over HTTP: calls, retries, lists, bytes and event streams. It knows no resource by name. */
export { Api, randomKey } from './api.ts';
export type {
  Body,
  Call,
  CallOptions,
  ContentOptions,
  OnceOptions,
  OperationId,
  Query,
  Settings,
  WorkOptions,
} from './call.ts';
export type { Content } from './content.ts';
export { Listing, type ListOptions, listing, type Page } from './listing.ts';
export { namedUpload, type UploadOptions } from './named-upload.ts';
export { comesBack, connectionError, sleep, until } from './retry.ts';
export { chunksOf, type Frame, readFrames } from './server-sent-events.ts';
export { type Uploadable, uploadOf } from './upload.ts';
