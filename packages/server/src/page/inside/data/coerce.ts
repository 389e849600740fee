/** A value of the page as the type that the schema wants, or none: what does not validate is never given. */
import type { DataSource, Scalar, Wanted } from '../data-schema.ts';
import { absolute, attributeOf, squeeze, theRoot } from '../pristine.ts';
import { dateIn, momentIn } from './dates.ts';
import { plain } from './names.ts';
import { numberIn, writesComma } from './numbers.ts';
import { isThing, type Thing, type Value } from './things.ts';

const forPeople = new Set<DataSource>(['selector', 'table', 'definitionList']);
const yes =
  /^(?:true|yes|y|1|on|ja|oui|si|sí|✓|✔|instock|instoreonly|onlineonly|limitedavailability|available)$/;
const no = /^(?:false|no|n|0|off|nein|non|✗|✘|outofstock|soldout|discontinued|unavailable|notavailable)$/;

/** The last part of an address of schema.org, which is how it writes its own words. */
const ownWord = (text: string): string => text.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, '');

/** What of a thing stands for it where a single value is wanted. */
const standIns = {
  uri: ['url', 'contenturl', 'src', 'thumbnailurl', 'embedurl', 'sameas'],
  number: ['value', 'price', 'ratingvalue', 'lowprice', 'amount', 'count', 'minvalue'],
  text: ['name', 'headline', 'text', 'value', 'title', 'url'],
};

function standInOf(thing: Thing, wanted: Wanted): Scalar | undefined {
  const names = isUri(wanted) ? standIns.uri : isNumber(wanted) ? standIns.number : standIns.text;
  for (const name of names) {
    const found = thing.values.get(name)?.find((value) => !isThing(value));
    if (found !== undefined && !isThing(found)) return found;
  }
  const [deeper] = (isNumber(wanted) ? thing.values.get('value') : undefined) ?? [];
  return deeper !== undefined && isThing(deeper) ? standInOf(deeper, wanted) : undefined;
}

const isUri = ({ format }: Wanted): boolean => /^(?:uri|iri|url)(?:-reference)?$/.test(format ?? '');
const isNumber = ({ type }: Wanted): boolean => type === 'number' || type === 'integer';

let comma: boolean | undefined;
const pageWritesComma = (): boolean => {
  const root = theRoot(document);
  comma ??= writesComma(root && attributeOf(root, 'lang'));
  return comma;
};

function asNumber(value: Scalar, source: DataSource): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return undefined;
  return numberIn(value, { machine: !forPeople.has(source), comma: pageWritesComma() });
}

function asBoolean(value: Scalar): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const word = plain(ownWord(String(value))) || String(value).trim();
  if (yes.test(word)) return true;
  return no.test(word) ? false : undefined;
}

function asText(value: Scalar, { format }: Wanted): string | undefined {
  const text = squeeze(String(value));
  if (text === '') return undefined;
  if (isUri({ format } as Wanted)) return absolute(text) || undefined;
  if (format === 'date') return dateIn(text);
  if (format === 'date-time') return momentIn(text);
  if (format === 'email') return /[^\s@<>:]+@[^\s@<>]+\.[^\s@<>.,;]+/.exec(text)?.[0];
  return text;
}

/** One of the schema's own words, however the page writes it. */
const choiceOf = (value: Scalar, choices: Scalar[], source: DataSource): Scalar | undefined =>
  choices.find((choice) => choice === value) ??
  choices.find((choice) => {
    if (typeof choice === 'number') return choice === asNumber(value, source);
    if (typeof choice === 'boolean') return choice === asBoolean(value);
    return plain(choice) === plain(ownWord(String(value)));
  });

function valid(value: Scalar, wanted: Wanted): boolean {
  const { least = -Infinity, most = Infinity, above = -Infinity, below = Infinity, multipleOf } = wanted;
  if (typeof value === 'string') {
    const { length } = Array.from(value);
    if (length < least || length > most) return false;
    return wanted.pattern === undefined || new RegExp(wanted.pattern, 'u').test(value);
  }
  if (typeof value === 'boolean') return true;
  if (wanted.type === 'integer' && !Number.isInteger(value)) return false;
  if (value < least || value > most || value <= above || value >= below) return false;
  return multipleOf === undefined || Number.isInteger(Math.round((value / multipleOf) * 1e9) / 1e9);
}

export function coerce(value: Value, wanted: Wanted, source: DataSource): Scalar | undefined {
  const single = isThing(value) ? standInOf(value, wanted) : value;
  if (single === undefined) return undefined;
  const typed = typeOf(single, wanted, source);
  return typed !== undefined && valid(typed, wanted) ? typed : undefined;
}

function typeOf(value: Scalar, wanted: Wanted, source: DataSource): Scalar | undefined {
  if (wanted.choices) return choiceOf(value, wanted.choices, source);
  if (isNumber(wanted)) return asNumber(value, source);
  return wanted.type === 'boolean' ? asBoolean(value) : asText(value, wanted);
}
