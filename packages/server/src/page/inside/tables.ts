/** Tables as Markdown and text can show them: rows of as many cells, each a line. Those that only arrange the page go. */
import { squeeze } from './pristine.ts';

const mostColumns = 100;
const blocks = 'p,div,ul,ol,dl,pre,blockquote,h1,h2,h3,h4,h5,h6,figure,section,article';

const rowsOf = (table: HTMLTableElement): HTMLTableRowElement[] => [...table.rows];

/** A table that shows data has rows of several short cells; one that arranges has none of that. */
function arranges(table: HTMLTableElement): boolean {
  if (/^(?:presentation|none)$/.test(table.getAttribute('role') ?? '')) return true;
  if (table.querySelector('table')) return true;
  if (table.caption || table.tHead || table.querySelector('th')) return false;
  const rows = rowsOf(table);
  const widest = Math.max(0, ...rows.slice(0, 1000).map((row) => row.cells.length));
  if (rows.length < 2 || widest < 2) return true;
  const cells = rows.slice(0, 200).flatMap((row) => [...row.cells]);
  const long = cells.filter(
    (cell) => (cell.textContent ?? '').length > 400 || cell.querySelectorAll('p,h1,h2,h3').length > 1,
  );
  return long.length > cells.length * 0.1;
}

/** Takes the cells out of the grid, in reading order. */
function unwrap(table: HTMLTableElement): void {
  const out = table.ownerDocument.createElement('div');
  for (const row of rowsOf(table))
    for (const cell of row.cells) {
      const part = table.ownerDocument.createElement('div');
      part.append(...cell.childNodes);
      out.append(part);
    }
  table.replaceWith(out);
}

/** One line: blocks in a cell follow each other after a break. */
function flatten(cell: Element): void {
  for (const block of [...cell.querySelectorAll(blocks)].reverse()) {
    const line = cell.ownerDocument.createElement(block.tagName === 'PRE' ? 'code' : 'span');
    line.append(...block.childNodes);
    block.replaceWith(line, cell.ownerDocument.createElement('br'));
  }
  for (const item of [...cell.querySelectorAll('li,dt,dd')].reverse()) {
    const line = cell.ownerDocument.createElement('span');
    line.append('• ', ...item.childNodes);
    item.replaceWith(line, cell.ownerDocument.createElement('br'));
  }
  for (let last = cell.lastChild; last; last = cell.lastChild) {
    if (!(last instanceof HTMLBRElement) && (last.nodeType !== 3 || squeeze(last.textContent))) break;
    last.remove();
  }
}

/** The grid with every span filled up by empty cells, as long as the widest row. */
function grid(table: HTMLTableElement): Element[][] {
  const cells: Element[][] = [];
  const empty = () => table.ownerDocument.createElement('td');
  for (const [at, row] of rowsOf(table).entries()) {
    cells[at] ??= [];
    let column = 0;
    for (const cell of row.cells) {
      while (cells[at][column]) column++;
      flatten(cell);
      const wide = Math.min(Math.max(cell.colSpan, 1), mostColumns);
      const high = Math.min(Math.max(cell.rowSpan, 1), 500);
      for (let y = 0; y < high && at + y < table.rows.length; y++)
        for (let x = 0; x < wide && column + x < mostColumns; x++) {
          cells[at + y] ??= [];
          cells[at + y]![column + x] = x === 0 && y === 0 ? cell : empty();
        }
    }
  }
  const widest = Math.max(0, ...cells.map((row) => row.length));
  return cells.map((row) => Array.from({ length: widest }, (_, x) => row[x] ?? empty()));
}

const isHead = (table: HTMLTableElement): boolean => {
  const first = table.rows[0];
  return Boolean(table.tHead) || [...(first?.cells ?? [])].every((cell) => cell.tagName === 'TH');
};

/** Head, then body, nothing else; a table without a head gets an empty one, for Markdown has no other. */
function rebuild(table: HTMLTableElement): void {
  const { ownerDocument: page, caption } = table;
  const headed = isHead(table);
  const cells = grid(table).filter((row) =>
    row.some((cell) => squeeze(cell.textContent) || cell.querySelector('img')),
  );
  if (!headed) cells.unshift((cells[0] ?? []).map(() => page.createElement('th')));
  const rows = cells.map((row, at) => {
    const line = page.createElement('tr');
    for (const cell of row) {
      const clean = page.createElement(at === 0 ? 'th' : 'td');
      clean.append(...cell.childNodes);
      line.append(clean);
    }
    return line;
  });
  const clean = page.createElement('table');
  const [head, body] = [page.createElement('thead'), page.createElement('tbody')];
  head.append(...rows.slice(0, 1));
  body.append(...rows.slice(1));
  clean.append(head, body);
  const title = squeeze(caption?.textContent);
  if (title) {
    const line = page.createElement('p');
    line.append(title);
    table.before(line);
  }
  table.replaceWith(clean);
}

const parts = 'tr,td,th,thead,tbody,tfoot,caption,colgroup';

/**
 * Parts of a table that stand outside of one: a script put them there, or only a part of the table was wanted. Rows
 * are a table again; a cell alone is a block like any other.
 */
function tidyStray(root: Element): void {
  const { ownerDocument: page } = root;
  for (const part of root.querySelectorAll('tr,thead,tbody,tfoot')) {
    if (part.closest('table')) continue;
    const table = page.createElement('table');
    part.before(table);
    for (let next: Element | null = part; next?.matches('tr,thead,tbody,tfoot'); ) {
      const following: Element | null = next.nextElementSibling;
      table.append(next);
      next = following;
    }
  }
  for (const part of [...root.querySelectorAll(parts)].reverse()) {
    if (part.closest('table')) continue;
    const block = page.createElement('div');
    block.append(...part.childNodes);
    part.replaceWith(block);
  }
}

export function tidyTables(root: Element): void {
  tidyStray(root);
  for (const table of [...root.querySelectorAll('table')].reverse()) {
    if (arranges(table)) unwrap(table);
    else rebuild(table);
  }
}
