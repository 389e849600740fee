/** Bytes as a field of a JSON answer: in base64, written as they come, so that however many there are, few are held as text. */
import { Readable } from 'node:stream';
import { liesUnread } from './unread-answers.ts';

/** Three bytes are four letters, so that pieces of this length follow each other without a gap. */
const pieceBytes = 3 * 64 * 1024;

/** `fields`: the JSON of an object that has at least one field. */
export function jsonWithBytes(fields: string, name: string, body: Buffer | Readable): Readable {
  const written = Readable.from(writtenParts(fields, name, body), { objectMode: false });
  // Where the caller hangs up before the first piece, the generator has not begun to read the bytes, and would not end them.
  if (Buffer.isBuffer(body)) liesUnread(written, body.length);
  else written.once('close', () => body.destroy());
  return written;
}

async function* writtenParts(fields: string, name: string, body: Buffer | Readable): AsyncGenerator<string> {
  yield `${fields.slice(0, -1)},${JSON.stringify(name)}:"`;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of Buffer.isBuffer(body) ? [body] : (body as AsyncIterable<Buffer>)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % 3);
    for (let at = 0; at < whole; at += pieceBytes)
      yield bytes.toString('base64', at, Math.min(at + pieceBytes, whole));
    rest = bytes.subarray(whole);
  }
  yield `${rest.toString('base64')}"}`;
}
