import { cutTo, oneLine } from './plain-text.ts';
import { size } from './units.ts';

/** One line at the bottom of a terminal that says how far long work is; gone when it is done. */
export interface Progress extends Disposable {
  /** Whether anybody sees it; what is only asked for its sake need not be. */
  shown: boolean;
  say(text: string): void;
  /** Makes room for a line that stays. */
  clear(): void;
}

const between = 100;
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
      if (now - last < between) return;
      last = now;
      there = true;
      stream.write(`\r\u001b[2K${cutTo(oneLine(text), (stream.columns || 80) - 1)}`);
    },
    clear,
    [Symbol.dispose]: clear,
  };
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
