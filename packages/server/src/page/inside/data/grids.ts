/** Things that a page lays out for people: a row of a table under its headings, pairs of a name and a value, definitions. */
import { allBelow, fits, squeeze, tagOf, textOf } from '../pristine.ts';
import { machineValue } from './marked-up.ts';
import { plainHeading } from './names.ts';
import { newThing, type Supply, spend, type Thing, tell, type Value } from './things.ts';

const mostTables = 200;
const mostRows = 5000;
const mostColumns = 100;

const text = (element: Element): string => squeeze(textOf(element));

/** The first address of a cell, found under the name of its column with `url` behind it. */
function linkIn(cell: Element): string | undefined {
  const [link] = allBelow(cell, 'a[href]');
  return link && machineValue(link);
}

function put(thing: Thing, heading: string, cell: Element, supply: Supply): void {
  const value: Value = text(cell);
  const link = linkIn(cell);
  for (const name of plainHeading(heading)) {
    if (!thing.values.has(name)) tell(thing, name, value, supply);
    if (link !== undefined) tell(thing, `${name} url`, link, supply);
  }
  if (link !== undefined && !thing.values.has('url')) tell(thing, 'url', link, supply);
}

const tableOf = (element: Element): element is HTMLTableElement =>
  element instanceof HTMLTableElement && !fits(element, '[role=presentation],[role=none]');

/** Cells under the columns that they span. */
function columnsOf(row: HTMLTableRowElement): Element[] {
  const cells: Element[] = [];
  for (const cell of row.cells)
    for (let x = 0; x < Math.min(Math.max(cell.colSpan, 1), mostColumns); x++)
      if (cells.length < mostColumns) cells.push(cell);
  return cells;
}

const isHeading = (row: HTMLTableRowElement): boolean =>
  row.cells.length > 1 && [...row.cells].every((cell) => tagOf(cell) === 'th');

function rowThings(table: HTMLTableElement, supply: Supply): Thing[] {
  const rows = [...table.rows].slice(0, mostRows);
  const at = table.tHead ? table.tHead.rows.length - 1 : rows.findIndex(isHeading);
  const head = rows[at];
  if (!head) return [];
  const headings = columnsOf(head).map(text);
  const found: Thing[] = [];
  for (const row of rows.slice(at + 1)) {
    if (isHeading(row) || !spend(supply)) continue;
    const thing = newThing('table');
    for (const [column, cell] of columnsOf(row).entries()) put(thing, headings[column] ?? '', cell, supply);
    if (thing.values.size > 0) found.push(thing);
  }
  return found;
}

/** A table of two columns, of which the first names the second. */
function pairThing(table: HTMLTableElement, supply: Supply): Thing | undefined {
  const rows = [...table.rows].slice(0, mostRows).filter((row) => row.cells.length === 2);
  if (rows.length === 0 || rows.length < table.rows.length / 2 || rows.some(isHeading)) return undefined;
  const named = rows.every(({ cells: [name] }) => name && tagOf(name) === 'th');
  if (!named && rows.some(({ cells: [name] }) => !name || text(name).length > 60)) return undefined;
  const thing = newThing('table');
  for (const { cells } of rows)
    if (cells[0] && cells[1] && spend(supply)) put(thing, text(cells[0]), cells[1], supply);
  return thing;
}

const tablesIn = (root: Element): HTMLTableElement[] =>
  [...(tableOf(root) ? [root] : []), ...allBelow(root, 'table').filter(tableOf)]
    .filter((table) => allBelow(table, 'table').length === 0)
    .slice(0, mostTables);

/** Of each table the things in its rows. */
export const tableLists = (root: Element, supply: Supply): Thing[][] =>
  tablesIn(root)
    .map((table) => rowThings(table, supply))
    .filter(({ length }) => length > 0);

export const pairThings = (root: Element, supply: Supply): Thing[] =>
  tablesIn(root).flatMap((table) => pairThing(table, supply) ?? []);

export function definitionThings(root: Element, supply: Supply): Thing[] {
  const lists = [...(fits(root, 'dl') ? [root] : []), ...allBelow(root, 'dl')].slice(0, mostTables);
  return lists.map((list) => {
    const thing = newThing('definitionList');
    let names: string[] = [];
    let named = false;
    for (const part of allBelow(list, 'dt,dd').slice(0, mostRows)) {
      if (Element.prototype.closest.call(part, 'dl') !== list || !spend(supply)) continue;
      if (tagOf(part) === 'dt') {
        names = named ? [...names, text(part)] : [text(part)];
        named = true;
      } else {
        named = false;
        for (const name of names) put(thing, name, part, supply);
      }
    }
    return thing;
  });
}
