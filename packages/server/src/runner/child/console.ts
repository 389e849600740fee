/**
 * The script's console: each entry is sent at once, so that the last entries of a script that is killed are not lost.
 */
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { formatWithOptions } from 'node:util';
import { type LogLevel, limits } from '../wire/wire.ts';
import type { Call } from './call.ts';

export type Emit = (level: LogLevel, text: string) => void;

const format = { depth: 4, maxArrayLength: 100, maxStringLength: 10_000, breakLength: 100 } as const;

export function createConsole(emit: Emit): Console {
  const sink = (level: LogLevel): Writable =>
    new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        emit(level, text.replace(/\n$/, ''));
        done();
      },
    });
  const whole = new Console({ stdout: sink('log'), stderr: sink('error'), inspectOptions: format });
  // Node's console has two streams, but there are more levels.
  const at =
    (level: LogLevel) =>
    (...values: unknown[]): void =>
      emit(level, formatWithOptions(format, ...values));
  return Object.assign(whole, {
    log: at('log'),
    info: at('info'),
    debug: at('debug'),
    warn: at('warn'),
    error: at('error'),
  });
}

/** Everything a call logs passes here: in order, up to a limit, and nothing after its end. */
export function cappedLog(call: Call, send: Emit): Emit {
  let entries = 0;
  let bytes = 0;
  return (level, text) => {
    if (call.ended || entries > limits.logEntries) return;
    entries++;
    const room = limits.logBytes - bytes;
    if (entries > limits.logEntries || room <= 0) {
      entries = limits.logEntries + 1;
      send(
        'warn',
        `Further log entries were left out (${limits.logEntries} entries or ${limits.logBytes} bytes are kept).`,
      );
      return;
    }
    const shown = text.length > limits.textChars ? `${text.slice(0, limits.textChars)}…` : text;
    const kept = Buffer.byteLength(shown) <= room ? shown : shown.slice(0, Math.floor(room / 4));
    bytes += Buffer.byteLength(kept) + 1;
    send(level, kept);
  };
}
