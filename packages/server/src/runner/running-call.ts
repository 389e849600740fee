/** A running call on the service's side: its logs so far, and its one outcome. */
import type { Duplex } from 'node:stream';
import { iso } from '../kit/clock.ts';
import {
  type ChildErrorCode,
  type DoneMessage,
  type FromChild,
  type LogLevel,
  limits,
  type ScriptFailure,
  WireError,
} from './wire/wire.ts';

export type RunErrorCode = ChildErrorCode | 'SCRIPT_TIMEOUT' | 'CANCELLED' | 'RUNNER_DIED';

export interface LogEntry {
  level: LogLevel;
  text: string;
  at: string;
}

export interface CallListeners {
  onLog?(entry: LogEntry): void;
  onTrace?(stream: Duplex): void;
}

export interface RunOutcome {
  ok: boolean;
  /** A JSON value. */
  result?: unknown;
  error?: ScriptFailure<RunErrorCode>;
  logs: LogEntry[];
  /** The tab the script opened or brought to the front last, if it did and the tab is still there. */
  lastTargetId?: string;
  durationMs: number;
}

/** One entry more than a script gets: the one that says that entries were left out. */
const maxEntries = limits.logEntries + 1;
const maxNotices = 4 * limits.notices;
const maxLogBytes = limits.logBytes + 2 * limits.textChars;

export class RunningCall {
  readonly number: number;
  readonly outcome: Promise<RunOutcome>;
  readonly #logs: LogEntry[] = [];
  readonly #startedAt = performance.now();
  #logBytes = 0;
  #notices = 0;
  #front: string | undefined;
  #settle: (outcome: RunOutcome) => void = () => undefined;
  #settled = false;
  readonly #onLog: CallListeners['onLog'];
  #onTrace: CallListeners['onTrace'];

  constructor(number: number, { onLog, onTrace }: CallListeners = {}) {
    this.number = number;
    this.#onLog = onLog;
    this.#onTrace = onTrace;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  /** Takes a message of the runner during a call; throws WireError when there are more of them than agreed. */
  take(message: Extract<FromChild, { type: 'log' | 'front' | 'dialogs' | 'ask' }>): void {
    if (message.type === 'log') this.#takeLog(message.level, message.text);
    else if (++this.#notices > maxNotices) throw new WireError('more notices than agreed');
    if (message.type === 'front') this.#front = message.targetId;
  }

  /** For its trace, of which it has one; undefined: it has none, or had it. */
  traceTaker(): CallListeners['onTrace'] {
    const take = this.#onTrace;
    this.#onTrace = undefined;
    return take;
  }

  #takeLog(level: LogLevel, text: string): void {
    this.#logBytes += Buffer.byteLength(text);
    if (this.#logs.length >= maxEntries || this.#logBytes > maxLogBytes)
      throw new WireError('more logs than agreed');
    const entry = { level, text, at: iso(Date.now()) };
    this.#logs.push(entry);
    this.#onLog?.(entry);
  }

  done({ call, result, error, front }: DoneMessage): void {
    if (call !== this.number) throw new WireError('an answer to another call');
    this.#front = front;
    this.#finish(error ? { ok: false, error } : { ok: true, result });
  }

  fail(code: RunErrorCode, message: string): void {
    const error = { name: 'Error', message, stack: `Error: ${message}`, code };
    this.#finish({ ok: false, error });
  }

  #finish(end: Pick<RunOutcome, 'ok' | 'result' | 'error'>): void {
    if (this.#settled) return;
    this.#settled = true;
    const durationMs = Math.round(performance.now() - this.#startedAt);
    this.#settle({ ...end, logs: this.#logs, lastTargetId: this.#front, durationMs });
  }
}
