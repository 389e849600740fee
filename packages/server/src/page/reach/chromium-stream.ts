/** What Chromium holds under a handle, read piece by piece as fast as it is taken, and let go of in any case. */
import { Readable } from 'node:stream';
import type { Cdp } from '../../browsers/browsers.ts';

const pieceBytes = 256 * 1024;

/**
 * `made`: all of it is there already, so the piece after the one that is on its way is asked for at once. Chromium tells the end
 * only in answer to one more question.
 */
export function readHandle(
  cdp: Cdp,
  sessionId: string,
  handle: string,
  { made = false }: { made?: boolean } = {},
): Readable {
  const ask = () => {
    const asked = cdp.send('IO.read', { handle, size: pieceBytes }, { sessionId });
    // It may never be looked at: what was before it is the end, or the reader has gone.
    asked.catch(() => undefined);
    return asked;
  };
  let next: ReturnType<typeof ask> | undefined;
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      const asked = next ?? ask();
      next = made ? ask() : undefined;
      asked.then(
        ({ data, base64Encoded, eof }) => {
          const piece = Buffer.from(data, base64Encoded ? 'base64' : 'utf8');
          if (eof) {
            if (piece.length > 0) this.push(piece);
            this.push(null);
          } else if (piece.length > 0) this.push(piece);
          // `read` would do nothing: this one is not over yet
          else this._read(pieceBytes);
        },
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      const end = (): void => done(error);
      cdp.send('IO.close', { handle }, { sessionId }).then(end, end);
    },
  });
}
