/**
 * How the body of an answer is shown: as text, as a picture, or not at all. The site chose its type, so only types of this
 * table count, and none of them can become a page: HTML and SVG are shown as their text.
 */
export type BodyKind = 'json' | 'text' | 'picture' | 'other';

const pictures = new Set([
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/vnd.microsoft.icon',
  'image/webp',
  'image/x-icon',
]);
const texts = /^text\/|[/+]xml$|javascript|ecmascript|x-www-form-urlencoded|graphql|mpegurl/;

export function bodyKindOf(mimeType = ''): BodyKind {
  const [type = ''] = mimeType.toLowerCase().split(';', 1);
  if (/[/+]json$/.test(type)) return 'json';
  if (pictures.has(type)) return 'picture';
  return texts.test(type) ? 'text' : 'other';
}

/** A page of JSON is easier to read in lines; what is not JSON after all stays as it is. */
export function inLines(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2);
  } catch {
    return json;
  }
}
