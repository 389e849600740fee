/**
 * What kind of file it is. The bytes decide first; the sender and the name are used where the bytes do not say and do
 * not contradict:
 *
 *   marks of its own? → that, or the closer name of it (a .docx is a zip)
 *   text?             → the declared type, or the name's, if text can be that
 *   neither           → the declared type, or the name's, if it is no text
 */
import { extname } from 'node:path';
import { hasMarks, typeByMarks } from './magic.ts';

const unknownBinary = 'application/octet-stream';
const unknownText = 'text/plain';
/** Of the others, a text that begins like one (`MZ`, `BZh`) is a text. */
const textWithMarks = 'application/pdf';

const byExtension: Record<string, string> = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.jsonl': 'application/jsonl',
  '.har': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.svg': 'image/svg+xml',
  '.ics': 'text/calendar',
  '.vcf': 'text/vcard',
  '.rtf': 'application/rtf',
  '.eml': 'message/rfc822',
  '.doc': 'application/msword',
  '.xls': 'application/vnd.ms-excel',
  '.ppt': 'application/vnd.ms-powerpoint',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  '.pptx': 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  '.odt': 'application/vnd.oasis.opendocument.text',
  '.ods': 'application/vnd.oasis.opendocument.spreadsheet',
  '.epub': 'application/epub+zip',
  '.jar': 'application/java-archive',
  '.apk': 'application/vnd.android.package-archive',
  '.ogv': 'video/ogg',
};

/** Types that are one of the marked ones inside, by that one. */
const closerNames: Record<string, (type: string) => boolean> = {
  'application/zip': (type) =>
    /^application\/(epub\+zip|java-archive|vnd\.(openxmlformats-officedocument|oasis\.opendocument|android)\..+)$/.test(
      type,
    ),
  'audio/ogg': (type) => type === 'video/ogg' || type === 'audio/opus',
  'video/mp4': (type) => type === 'audio/mp4',
  'video/webm': (type) => type === 'audio/webm',
};

/** Sent by programs that know nothing of the file: curl --data-binary, fetch with a buffer. */
const meansNothing =
  /^(application\/(octet-stream|x-www-form-urlencoded|unknown)|binary\/octet-stream|multipart\/.*)$/;

const essence = (declared: string | undefined): string | undefined => {
  const type = declared?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type.length <= 127 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) && !meansNothing.test(type)
    ? type
    : undefined;
};

export function mediaTypeOf(file: { head: Uint8Array; name: string; declared?: string }): string {
  const named = byExtension[extname(file.name).toLowerCase()];
  const said = [essence(file.declared), named].filter((type) => type !== undefined);
  const text = isText(file.head);
  const marked = typeByMarks(file.head);
  if (marked && (!text || marked === textWithMarks))
    return said.find(closerNames[marked] ?? (() => false)) ?? marked;
  const credible = said.filter((type) => !hasMarks(type));
  if (text) return credible.find(canBeText) ?? unknownText;
  return credible.find((type) => !mustBeText(type)) ?? unknownBinary;
}

const mustBeText = (type: string): boolean =>
  type.startsWith('text/') || /^application\/(json|jsonl|xml|yaml|rtf)$|\+(json|xml)$/.test(type);

const canBeText = (type: string): boolean => mustBeText(type) || /^(application|message|model)\//.test(type);

/** Valid UTF-8 without control characters, or UTF-16 that says so. Only the beginning is seen: it may end in half a character. */
function isText(head: Uint8Array): boolean {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) return true;
  if (head.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte))) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
