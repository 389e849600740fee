/** The items of a batch, from lines: an address, or a JSON object with the fields of the quick action. */
import { wrongUsage } from '../../failure.ts';
import { oneLine } from '../../output/output.ts';
import { addressOf } from '../quick/quick.ts';

type Item = { url?: string; html?: string } & Record<string, unknown>;

const most = 10_000;

/** Empty lines and those that begin with `#` are left out. */
export function itemsIn(text: string): Item[] {
  const items = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line, at) => {
      const trimmed = line.trim();
      return trimmed === '' || trimmed.startsWith('#') ? [] : [itemOf(trimmed, at + 1)];
    });
  if (items.length === 0) throw wrongUsage('There is no address in it. Expected one a line.');
  if (items.length > most)
    throw wrongUsage(`It has ${items.length} pages; a job takes ${most}. Split the list.`);
  return items;
}

function itemOf(line: string, number: number): Item {
  if (!line.startsWith('{')) return { url: atLine(number, () => addressOf(line, '')) };
  const item = atLine(number, () => JSON.parse(line) as Item);
  if (typeof item.url !== 'string' && typeof item.html !== 'string')
    throw wrongUsage(`Line ${number}: the object has neither "url" nor "html".`);
  return item;
}

function atLine<Value>(number: number, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw wrongUsage(`Line ${number}: ${oneLine((error as Error).message)}`);
  }
}
