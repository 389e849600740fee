/**
 * A body in the chunks in which the site has sent it. Node would join those that come at once, and a client that counts
 * bytes would see another answer than the site's. One that comes in pieces is passed on in pieces: it cannot wait.
 */
import { Transform, type TransformCallback } from 'node:stream';

const small = 16 * 1024;
const end = Buffer.from('\r\n');

export class Chunks extends Transform {
  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const parts = [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, end];
    for (const part of chunk.length < small ? [Buffer.concat(parts)] : parts) this.push(part);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, '0\r\n\r\n');
  }
}
