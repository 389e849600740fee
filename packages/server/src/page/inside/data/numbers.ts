/** Numbers as people write them: with a currency, with separators of their country, with words around them. */

/** Languages that put a comma before the decimals. */
const commaLanguages =
  /^(?:af|az|be|bg|bs|ca|cs|da|de|el|es|et|eu|fi|fr|gl|hr|hu|hy|id|is|it|ka|kk|lt|lv|mk|nb|nl|nn|no|pl|pt|ro|ru|sk|sl|sq|sr|sv|tr|uk|uz|vi)\b/i;

export const writesComma = (language: string | null): boolean => commaLanguages.test(language ?? '');

const exact = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const written = /([-−–]\s?)?(\d[\d.,'’٫٬\u00a0\u202f ]*)/;
/** A letter alone counts only right behind the digits, and a small `m` never: that is a metre. */
const magnitudes: [RegExp, number][] = [
  [/^(?:[kK]|\s?(?:thousand|tsd))(?![\p{L}\p{N}])/u, 1e3],
  [/^(?:M|\s?[mM](?:n|io|illions?|illionen))(?![\p{L}\p{N}])/u, 1e6],
  [/^(?:B|\s?(?:[bB](?:n|illions?)|[mM](?:rd|illiarden)))(?![\p{L}\p{N}])/u, 1e9],
];

/** `machine`: written for machines, where a point is always before decimals. `comma`: the page's language has a comma there. */
export function numberIn(text: string, how: { machine: boolean; comma: boolean }): number | undefined {
  const trimmed = text.trim();
  if (exact.test(trimmed) && (how.machine || !how.comma || !/^\d{1,3}(?:\.\d{3})+$/.test(trimmed)))
    return finite(Number(trimmed));
  const found = written.exec(trimmed.slice(0, 1000));
  if (!found) return undefined;
  const [all, sign, digits = ''] = found;
  const value = Number(withPoint(digits.replace(/[^\d]+$/, ''), how.comma));
  const after = trimmed.slice(found.index + all.trimEnd().length);
  // After a number that ends with a space a word of its own begins.
  const factor = magnitudes.find(([word]) => word.test(after))?.[1] ?? 1;
  // A dash that joins two numbers, or a word to one, is no sign.
  const negative = sign !== undefined && !/[\p{L}\p{N}]\s?$/u.test(trimmed.slice(0, found.index));
  return finite((negative ? -1 : 1) * value * factor);
}

const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);

/** The same digits, without separators of thousands and with a point before the decimals. */
function withPoint(digits: string, comma: boolean): string {
  // A space is within a number only between groups of three digits; the rest is another number.
  const [own = ''] =
    /^\d{1,3}(?:[\s\u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|^[^\s\u00a0\u202f]+/.exec(digits) ?? [];
  const text = own
    .replace(/[\s\u00a0\u202f'’٬]/g, '')
    .replaceAll('٫', '.')
    .replace(/[.,]+$/, '');
  const points = text.split('.').length - 1;
  const commas = text.split(',').length - 1;
  if (points > 0 && commas > 0)
    return text.lastIndexOf(',') > text.lastIndexOf('.')
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replaceAll(',', '');
  if (points + commas > 1) return text.replace(/[.,]/g, '');
  const isGroup = /^[1-9]\d{0,2}[.,]\d{3}$/.test(text);
  if (commas === 1) return isGroup && !comma ? text.replace(',', '') : text.replace(',', '.');
  return points === 1 && isGroup && comma ? text.replace('.', '') : text;
}
