/** What the room that opens a client of the pipe gives it: what it may do, and who is told of what it does. */
import type { FilterRules } from '../filter/filter.ts';
import type { Credentials } from './challenges.ts';
import type { OutcomeOf } from './network-view.ts';

/** Chromium ended, the client closed its connection, or it does not read what it is sent. */
export type CloseReason = 'ended' | 'left' | 'slow';

export interface ClientOptions {
  rules: FilterRules;
  /** The page that it came for: to the client there is nothing else, and it ends with it. */
  targetId?: string;
  /** What its exit knows; absent: the client hears of the network what Chromium says. */
  outcomeOf?: OutcomeOf;
  /** For sites that ask for them, where the client has none. */
  credentialsFor?(origin: string): Credentials | undefined;
  /** Values of headers that no client is told. Read at every use. */
  secretHeaders?(): readonly string[];
  /** A message for the client; never called from within `send`. */
  onMessage(message: Buffer): void;
  /** It has ended otherwise than by `close`. */
  onClose(reason: CloseReason): void;
  /** Chromium has taken what was sent. */
  onDrain?(): void;
  /** A command of the client has passed the filter. */
  onPassed?(method: string): void;
  /** A command that makes this tab leave its page is about to be sent. */
  onLeavingPage?(targetId: string): void;
  /** Awaited before its sessions are closed. */
  beforeDetach?(): Promise<void>;
  /** Awaited after they were. */
  afterDetach?(): Promise<void>;
  /** Something was done for the whole browser in the client's name. */
  onServed?(method: string, params: Record<string, unknown>): void;
  /** Where files are that it looks for on its own disk: what it is told when it reads a download there. */
  fileElsewhere?: string;
  /** Bytes given to `onMessage` that the client has not taken yet. */
  waitingBytes?(): number;
  /** A client that lets more than this wait is ended: the pipe is shared and cannot wait for it. */
  maxWaitingBytes?: number;
}
