/** Days and moments as pages write them, in the form of RFC 3339. What could be two different days is none. */
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

interface Day {
  year: number;
  month: number;
  day: number;
}

const iso =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T\s]+(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2}|UTC|GMT)?)?$/i;
const dayFirst = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\.?\\s+(?:of\\s+)?${monthName}\\s*,?\\s+(\\d{4})\\b`,
  'i',
);
const monthFirst = new RegExp(`\\b${monthName}\\s+(\\d{1,2})(?:st|nd|rd|th)?\\s*,?\\s+(\\d{4})\\b`, 'i');
const dotted = /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b/;
const slashed = /\b(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b/;
const yearFirst = /\b(\d{4})[/.](\d{1,2})[/.](\d{1,2})\b/;

const real = ({ year, month, day }: Day): Day | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : undefined;
};

const monthOf = (name = ''): number => months.indexOf(name.toLowerCase()) + 1;

function dayIn(text: string): Day | undefined {
  let found = dayFirst.exec(text);
  if (found) return real({ day: Number(found[1]), month: monthOf(found[2]), year: Number(found[3]) });
  found = monthFirst.exec(text);
  if (found) return real({ month: monthOf(found[1]), day: Number(found[2]), year: Number(found[3]) });
  found = yearFirst.exec(text);
  if (found) return real({ year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) });
  found = dotted.exec(text);
  if (found) return real({ day: Number(found[1]), month: Number(found[2]), year: Number(found[3]) });
  found = slashed.exec(text);
  if (!found) return undefined;
  const [first, second, year] = [Number(found[1]), Number(found[2]), Number(found[3])];
  if (first > 12) return real({ day: first, month: second, year });
  return second > 12 || first === second ? real({ month: first, day: second, year }) : undefined;
}

const two = (number: number): string => String(number).padStart(2, '0');
const written = ({ year, month, day }: Day): string =>
  `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;

/** `2026-03-05` */
export function dateIn(text: string): string | undefined {
  const found = iso.exec(text.trim());
  const day = found
    ? real({ year: Number(found[1]), month: Number(found[2]), day: Number(found[3]) })
    : dayIn(text.slice(0, 1000));
  return day && written(day);
}

/** `2026-03-05T10:00:00Z`; without a zone it counts as UTC, without a time as midnight. */
export function momentIn(text: string): string | undefined {
  const day = dateIn(text);
  if (day === undefined) return undefined;
  const found = iso.exec(text.trim());
  if (!found?.[4]) return `${day}T00:00:00Z`;
  const zone = /^[+-]/.test(found[7] ?? '') ? (found[7] ?? '').replace(/^(...):?(..)$/, '$1:$2') : 'Z';
  const moment = `${day}T${found[4]}:${found[5]}:${found[6] ?? '00'}${zone}`;
  return Number.isNaN(Date.parse(moment)) ? undefined : moment;
}
