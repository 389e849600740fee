/**
 * Kinds of files that begin with marks of their own. A type that is listed here is recognised by its marks alone, never
 * by what the sender declares.
 */
type Mark = [offset: number, bytes: string];

const marks: [type: string, ...Mark[]][] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF8']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/heic', [4, 'ftyphei']],
  ['image/tiff', [0, 'II*\0']],
  ['image/tiff', [0, 'MM\0*']],
  ['image/bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['image/vnd.microsoft.icon', [0, '\0\0\x01\0']],
  ['application/pdf', [0, '%PDF-']],
  ['application/zip', [0, 'PK\x03\x04']],
  ['application/zip', [0, 'PK\x05\x06']],
  ['application/gzip', [0, '\x1f\x8b']],
  ['application/zstd', [0, '\x28\xb5\x2f\xfd']],
  ['application/x-bzip2', [0, 'BZh']],
  ['application/x-xz', [0, '\xfd7zXZ\0']],
  ['application/x-7z-compressed', [0, '7z\xbc\xaf\x27\x1c']],
  ['application/vnd.rar', [0, 'Rar!\x1a\x07']],
  ['application/x-tar', [257, 'ustar']],
  ['application/wasm', [0, '\0asm']],
  ['application/vnd.sqlite3', [0, 'SQLite format 3\0']],
  ['application/x-elf', [0, '\x7fELF']],
  ['application/vnd.microsoft.portable-executable', [0, 'MZ']],
  ['audio/mp4', [4, 'ftypM4A']],
  ['video/quicktime', [4, 'ftypqt']],
  ['video/mp4', [4, 'ftyp']],
  ['audio/mpeg', [0, 'ID3']],
  ['audio/mpeg', [0, '\xff\xfb']],
  ['audio/mpeg', [0, '\xff\xf3']],
  ['audio/wav', [0, 'RIFF'], [8, 'WAVE']],
  ['video/x-msvideo', [0, 'RIFF'], [8, 'AVI ']],
  ['audio/flac', [0, 'fLaC']],
  ['audio/ogg', [0, 'OggS']],
  ['font/woff', [0, 'wOFF']],
  ['font/woff2', [0, 'wOF2']],
  ['font/otf', [0, 'OTTO']],
  ['font/ttf', [0, '\0\x01\0\0\0']],
];

/** Matroska and WebM begin alike and say which they are a little later. */
const ebml = '\x1aE\xdf\xa3';
const matroska = ['video/webm', 'video/x-matroska'];

/** How much of a file is looked at. */
export const headBytes = 512;

const known = new Set([...marks.map(([type]) => type), ...matroska]);

export const hasMarks = (type: string): boolean => known.has(type);

export function typeByMarks(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, headBytes)).toString('latin1');
  if (text.startsWith(ebml)) return matroska[text.slice(0, 64).includes('webm') ? 0 : 1];
  return marks.find(([, ...parts]) => parts.every(([offset, bytes]) => text.startsWith(bytes, offset)))?.[0];
}
