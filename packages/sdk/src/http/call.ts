/**
 * What a call is made of: the settings of a client, the options of a call, and the operation that it names. Parameters
 * and answers are typed by the contract.
 */
import type { Operations } from '../generated/operations.ts';
import type { Sendable } from './upload.ts';

export interface Settings {
  /** Default: `BROWSERD_URL` of the environment, then http://127.0.0.1:8787. */
  baseUrl?: string;
  /** Default: `BROWSERD_API_KEY` of the environment. */
  apiKey?: string;
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch;
  /** Time limit of each attempt; 60 000 unless given. A call with a limit of its own gets that on top. */
  timeoutMs?: number;
  /** Attempts after the first; 2 unless given. */
  maxRetries?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
}

/** For calls whose `timeoutMs` is a field of the request: the service keeps that limit, and the client waits longer. */
export interface WorkOptions {
  signal?: AbortSignal;
}

export interface CallOptions extends WorkOptions {
  /** Time limit of each attempt, instead of the client's own. Bytes and events only have to begin within it. */
  timeoutMs?: number;
}

export interface ContentOptions extends CallOptions {
  /** Only these bytes, both ends included. */
  range?: { start: number; end?: number };
}

/** For calls that are safe to repeat because they carry an Idempotency-Key. */
export interface OnceOptions extends CallOptions {
  /** A new one for each call unless given. For a day, the same key gets the same answer. */
  idempotencyKey?: string;
}

export type OperationId = keyof Operations;
type Takes<Id extends OperationId> = Operations[Id]['takes'];
export type Query<Id extends OperationId> = NonNullable<Takes<Id>['query']>;
export type Body<Id extends OperationId> = NonNullable<Takes<Id>['body']>;
export type Answers<Id extends OperationId> = Operations[Id]['answers'];

export interface Call {
  path?: Record<string, string>;
  query?: object;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  bytes?: { content: Sendable; mimeType: string; repeatable: boolean };
  headers?: Record<string, string>;
  /** A status other than 2xx whose body is an answer, not an error. */
  answerToo?: number;
  /** A field that every answer of the service has; a proxy may answer with the same status. */
  knownBy?: string;
  /** How long the work of the call may take, on top of the time limit of an attempt. */
  takesMs?: number;
  /** The service keeps no answer of this one: it is sent without an Idempotency-Key, and not tried again as one with a key is. */
  keptNowhere?: boolean;
}
