/** One line at the bottom of a terminal with the progress of long work; removed when it is done. */
import { cutTo, oneLine } from './plain-text.ts';
import { size } from './units.ts';

export interface Progress extends Disposable {
  /** Whether it is visible; if not, callers need not fetch what only it would show. */
  shown: boolean;
  say(text: string): void;
  /** Removes it, before a permanent line is printed. */
  clear(): void;
}

const redrawMs = 100;
const silent: Progress = { shown: false, say: () => {}, clear: () => {}, [Symbol.dispose]: () => {} };

export function progressOn(stream: NodeJS.WriteStream, shown: boolean): Progress {
  if (!shown || !stream.isTTY) return silent;
  let last = Number.NEGATIVE_INFINITY;
  let there = false;
  const clear = (): void => {
    if (there) stream.write('\r\u001b[2K');
    there = false;
  };
  return {
    shown: true,
    say(text) {
      const now = performance.now();
      if (now - last < redrawMs) return;
      last = now;
      there = true;
      stream.write(`\r\u001b[2K${cutTo(oneLine(text), (stream.columns || 80) - 1)}`);
    },
    clear,
    [Symbol.dispose]: clear,
  };
}

const barWidth = 20;

/** `████████░░░░░░░░░░░░`: full only when nothing is left. */
export function bar(part: number, total: number): string {
  const full = total > 0 ? Math.floor((barWidth * Math.min(part, total)) / total) : 0;
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** The same bytes, counted as they pass. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  total: number | undefined,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of chunks) {
    yield chunk;
    passed += chunk.length;
    const share = total ? `, ${Math.floor((100 * passed) / total)} %` : '';
    progress.say(`${size(passed)}${total === undefined ? '' : ` of ${size(total)}`}${share}`);
  }
}
