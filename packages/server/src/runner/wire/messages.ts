/** The messages on the control socket, as types only: both sides import them, neither trusts them. */
export type LogLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';

/** What Playwright said about an operation that failed. */
export interface PlaywrightDetails {
  /** Such as `locator.click`. */
  apiName?: string;
  /** The locator it waited for, as Playwright writes it: `getByRole('button')`. */
  selector?: string;
  /** The locator found an element at some time, but it could not be acted on. */
  matched?: boolean;
  /** How long it waited. */
  timeoutMs?: number;
  log?: string[];
}

export type ChildErrorCode =
  | 'SCRIPT_SYNTAX'
  | 'RESULT_NOT_SERIALIZABLE'
  | 'RESULT_TOO_LARGE'
  | 'TAB_NOT_FOUND';

export interface ScriptFailure<Code = ChildErrorCode> {
  name: string;
  message: string;
  /** Only the caller's own frames. */
  stack: string;
  /** Absent: the code threw it. */
  code?: Code;
  line?: number;
  column?: number;
  playwright?: PlaywrightDetails;
}

export interface TraceAsked {
  /** The page before and after each action, and the network. */
  snapshots: boolean;
  /** Pictures of the page while it changes. */
  screenshots: boolean;
  /** The code itself, beside the actions that its lines did. */
  sources: boolean;
  /** Of what is recorded, before it is packed. */
  maxBytes: number;
}

export interface RunMessage {
  type: 'run';
  call: number;
  code: string;
  args: unknown;
  targetId: string;
  timeoutMs: number;
  trace?: TraceAsked;
}

export type ToChild =
  | { type: 'attach'; streams: boolean }
  | RunMessage
  /** `bytes` of them follow. */
  | { type: 'answer'; question: number; value: unknown; bytes: number }
  | { type: 'refusal'; question: number; message: string };

export type FilesAsked =
  | { op: 'path'; fileId: string }
  /** `bytes` of them follow. */
  | { op: 'write'; name: string; mimeType?: string; bytes: number }
  | { op: 'download'; guid: string }
  /** Type this secret into what has the focus in a tab; with `code`, only a code of the moment. */
  | { op: 'secret'; name: string; code: boolean; targetId: string }
  /** Which node of a tab has this reference. */
  | { op: 'ref'; ref: string; targetId: string };

export interface DoneMessage {
  type: 'done';
  call: number;
  result?: unknown;
  error?: ScriptFailure;
  /** The tab that was opened or brought to the front last, if any was. */
  front?: string;
  memoryBytes: number;
  /** Messages that were sent to the browser before this one. */
  cdpSent: number;
  /** It should serve no other call: the script closed the connection, or changed what calls share. */
  last: boolean;
}

export type FromChild =
  | { type: 'ready' }
  | { type: 'attached' }
  | { type: 'refused'; message: string }
  | { type: 'log'; level: LogLevel; text: string }
  | { type: 'front'; targetId?: string }
  /** The script listens to dialogs of these tabs (absent: of all), so the service should leave them to it. */
  | { type: 'dialogs'; listening: boolean; targets?: string[] }
  | ({ type: 'ask'; question: number } & FilesAsked)
  | DoneMessage;
