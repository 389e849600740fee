/** How a child process ended, and the end of what it wrote to its error stream. */
import type { ChildProcess } from 'node:child_process';

export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Written by the program inside: for a log, not for a caller. */
  lastWords: string;
}

const keptCharacters = 4096;

/** `patienceMs`: how long the error stream may still be read after the exit; what was written last may be in the pipe. */
export function endOf(child: ChildProcess, patienceMs = 0): Promise<ProcessEnd> {
  let lastWords = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-keptCharacters);
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      const settle = (): void => resolve({ code, signal, lastWords });
      if (patienceMs === 0 || child.stderr?.closed) return settle();
      child.stderr?.once('close', settle);
      setTimeout(settle, patienceMs).unref();
    });
    child.once('error', (error) =>
      resolve({ code: null, signal: null, lastWords: `${error.message}\n${lastWords}`.trim() }),
    );
  });
}
