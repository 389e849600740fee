/**
 * Reads a form of exactly one file (RFC 7578), without holding more of it than a chunk:
 *
 *   preamble ␍␊--boundary␍␊ headers ␍␊␍␊ bytes of the file ␍␊--boundary-- epilogue
 *
 * Anything beside the file is refused by name, because it would have no effect.
 */
import { ApiError } from '../../errors.ts';
import { ByteCursor } from './byte-cursor.ts';
import { validationFailed } from './validate.ts';

export interface FilePart {
  filename: string | undefined;
  mimeType: string | undefined;
  /** Must be read to its end; fails there when the form holds more than the file. */
  chunks: AsyncIterable<Uint8Array>;
}

/** Most bytes around the file: what comes before it, its headers, and what comes after it. */
export const mostOverhead = 64 * 1024;
const mostHeaderBytes = 16 * 1024;
const lineEnd = '\r\n';
/** After the last boundary. */
export const closing = '--';

export const broken = (why: string): ApiError =>
  new ApiError('INVALID_REQUEST', `The form cannot be read: ${why}. Send it as \`curl -F\` does.`);

/** What parts are set apart by, and what is to be read before the first: as if a line had ended, so that all look alike. */
export const delimiterOf = (boundary: string): { delimiter: Buffer; before: Buffer } => ({
  delimiter: Buffer.from(`${lineEnd}--${boundary}`, 'latin1'),
  before: Buffer.from(lineEnd),
});

/** Undefined when it is no form. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '')) return undefined;
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain ?? '';
  if (/^[\w'()+,./:=? -]{1,70}$/.test(boundary) && !boundary.endsWith(' ')) return boundary;
  throw broken('its `Content-Type` has no usable `boundary`');
}

export async function readFilePart(body: AsyncIterable<Uint8Array>, boundary: string): Promise<FilePart> {
  const { delimiter, before } = delimiterOf(boundary);
  const cursor = new ByteCursor(body, before);
  if ((await cursor.readUntil(delimiter, mostOverhead - mostHeaderBytes)) === undefined)
    throw broken('its first boundary is missing');
  if (await cursor.startsWith(closing)) throw onePart('the form is empty');
  const { name, filename, mimeType } = await readHead(cursor);
  if (name !== 'file') throw onePart('unknown field', name);
  return { filename, mimeType, chunks: fileBytes(cursor, delimiter) };
}

async function* fileBytes(cursor: ByteCursor, delimiter: Buffer): AsyncGenerator<Uint8Array> {
  if (!(yield* cursor.streamUntil(delimiter))) throw broken('it ends within the file');
  if (!(await cursor.startsWith(closing))) throw onePart('a second field', (await readHead(cursor)).name);
  if (!(await cursor.skipRest(mostOverhead))) throw broken('too much follows its end');
}

export async function readHead(
  cursor: ByteCursor,
): Promise<{ name?: string; filename?: string; mimeType?: string }> {
  const head = await cursor.readUntil(Buffer.from(lineEnd + lineEnd), mostHeaderBytes);
  const [rest, ...lines] = head?.toString('utf8').split(lineEnd) ?? ['missing'];
  if (rest?.trim() !== '') throw broken('the headers of a part are missing or too long');
  const headers = new Map(lines.map((line) => splitOnce(line, ':')));
  const encoding = headers.get('content-transfer-encoding') ?? 'binary';
  if (!/^(binary|8bit|7bit)$/i.test(encoding))
    throw broken(`the encoding ${encoding.slice(0, 40)} is not known`);
  const disposition = parametersOf(headers.get('content-disposition') ?? '');
  return {
    name: disposition.get('name'),
    filename: disposition.get('filename'),
    mimeType: headers.get('content-type'),
  };
}

const splitOnce = (line: string, mark: string): [string, string] => {
  const at = line.indexOf(mark);
  return [line.slice(0, Math.max(at, 0)).trim().toLowerCase(), line.slice(at + 1).trim()];
};

/** Browsers write quotes and line ends within a name as %22, %0D and %0A, curl quotes as \". */
function parametersOf(header: string): Map<string, string> {
  const all = header.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g);
  const unescaped = (text: string): string =>
    text
      .replace(/\\(["\\])/g, '$1')
      .replace(/%(22|0D|0A)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return new Map(
    [...all].map(([, name = '', quoted, plain = '']) => [name.toLowerCase(), unescaped(quoted ?? plain)]),
  );
}

const onePart = (reason: string, name = ''): ApiError =>
  validationFailed('form', [
    { path: name.slice(0, 200), reason: `${reason}: send one part called \`file\`, and nothing else` },
  ]);
