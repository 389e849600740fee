/**
 * Page titles, addresses, names and console lines are untrusted. On a terminal they could move the cursor, change colours,
 * retitle the window or reverse the direction of writing. Here they become plain text.
 */

/** Control characters, and those that are invisible: direction marks, joiners, tags, halves of a pair. */
const harmful = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** The invisible character that joins emoji. */
const joiner = '\u200d';
/** More combining marks on a letter than any language uses would cover the lines around it. */
const tooManyMarks = /(\p{M}{4})\p{M}+/gu;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const inGraphemes = (text: string): string[] => [...graphemes.segment(text)].map(({ segment }) => segment);

const withFewMarks = (text: string): string => text.replace(tooManyMarks, '$1');

/** On one line. */
export const oneLine = (text: string): string =>
  withFewMarks(
    text
      .replace(/[\s\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(harmful, (found) => (found === joiner ? found : ''))
      .trim(),
  );

/** Over several lines; tabs stay. */
export const severalLines = (text: string): string =>
  withFewMarks(
    text
      .replace(/\r\n?/g, '\n')
      .replace(harmful, (found) => ('\n\t'.includes(found) || found === joiner ? found : '')),
  );

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;

function widthOfGrapheme(grapheme: string): number {
  if (/^[\x20-\x7e]$/.test(grapheme)) return 1;
  if (wide.test(grapheme)) return 2;
  return /^\p{M}+$/u.test(grapheme) ? 0 : 1;
}

/** The width of a clean text on a terminal, in columns. */
export const widthOf = (text: string): number =>
  inGraphemes(text).reduce((sum, grapheme) => sum + widthOfGrapheme(grapheme), 0);

/** Cuts to so many columns; the last is a mark that something is missing. */
export function cutTo(text: string, columns: number): string {
  // some characters take no column, so a long text is cut generously before it is measured
  const within = text.length > columns * 16 ? text.slice(0, columns * 16) : text;
  if (within.length === text.length && widthOf(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const grapheme of inGraphemes(within)) {
    width += widthOfGrapheme(grapheme);
    if (width > columns - 1) break;
    kept += grapheme;
  }
  return columns > 0 ? `${kept}…` : '';
}

/** JSON in which those characters are escaped: a parser reads the same value, a terminal ignores them. */
export const printableJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').replace(/[\u007f-\u009f\u2028\u2029\p{Cf}]/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
