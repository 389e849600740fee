/** What Chromium holds under a handle, read piece by piece as fast as it is taken, and let go of in any case. */
import { Readable } from 'node:stream';
import type { Cdp } from '../../browsers/browsers.ts';

const pieceBytes = 256 * 1024;

export function readHandle(cdp: Cdp, sessionId: string, handle: string): Readable {
  return new Readable({
    highWaterMark: pieceBytes,
    read() {
      cdp.send('IO.read', { handle, size: pieceBytes }, { sessionId }).then(
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
