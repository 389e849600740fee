/** A table; on a phone each row becomes a block. Columns can be sorted and rows selected, where the page asks for it. */
import type { ReactNode } from 'react';
import { Icon } from './controls/controls.ts';

export interface Column<Row> {
  /** Also the label of the cell on a phone. */
  head: string;
  cell(row: Row): ReactNode;
  /** Aligned to the end, for numbers and buttons. */
  end?: boolean;
  /** Takes the remaining width. */
  grows?: boolean;
  /** Its cells are cut sooner than those of others. */
  narrow?: boolean;
  /** The table is sorted by it. */
  sorted?: 'ascending' | 'descending';
  /** Its head is a button that sorts. */
  onSort?: () => void;
}
interface Selection<Row> {
  /** Keys of rows. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
  nameOf(row: Row): string;
}
interface TableProps<Row> {
  /** For screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Below a row, over its whole width. */
  detail?(row: Row): ReactNode;
  selection?: Selection<Row>;
}

const classOf = ({
  end,
  grows,
  narrow,
}: Pick<Column<never>, 'end' | 'grows' | 'narrow'>): string | undefined =>
  [end && 'end', grows && 'grows', narrow && 'narrow'].filter(Boolean).join(' ') || undefined;

export function Table<Row>({ label, columns, rows, keyOf, detail, selection }: TableProps<Row>) {
  const keys = rows.map(keyOf);
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className="pick">
              <SelectAll keys={keys} {...selection} />
            </th>
          )}
          {columns.map((column) => (
            <th key={column.head} scope="col" className={classOf(column)} aria-sort={column.sorted}>
              <Head {...column} />
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => {
        const below = detail?.(row);
        const key = keyOf(row);
        return (
          <tbody key={key}>
            <tr className={selection?.selected.has(key) ? 'selected' : undefined}>
              {selection && (
                <td className="pick">
                  <input
                    type="checkbox"
                    aria-label={`Select ${selection.nameOf(row)}`}
                    checked={selection.selected.has(key)}
                    onChange={({ target }) =>
                      selection.onSelect(changed(selection.selected, [key], target.checked))
                    }
                  />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.head} className={classOf(column)} data-label={column.head}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
            {below && (
              <tr className="detail">
                <td colSpan={columns.length + (selection ? 1 : 0)}>{below}</td>
              </tr>
            )}
          </tbody>
        );
      })}
    </table>
  );
}

function changed(before: ReadonlySet<string>, keys: readonly string[], isIn: boolean): ReadonlySet<string> {
  return isIn ? before.union(new Set(keys)) : before.difference(new Set(keys));
}

function Head({ head, sorted, onSort }: Pick<Column<never>, 'head' | 'sorted' | 'onSort'>) {
  if (!onSort) return head;
  return (
    <button type="button" className="sort" onClick={onSort}>
      {head}
      {sorted && <Icon name={sorted === 'ascending' ? 'up' : 'down'} size={12} />}
    </button>
  );
}

function SelectAll(props: { keys: readonly string[] } & Pick<Selection<never>, 'selected' | 'onSelect'>) {
  const { keys, selected, onSelect } = props;
  const count = keys.filter((key) => selected.has(key)).length;
  const isAll = count > 0 && count === keys.length;
  return (
    <input
      type="checkbox"
      aria-label="Select all"
      checked={isAll}
      ref={(input) => {
        if (input) input.indeterminate = count > 0 && !isAll;
      }}
      onChange={({ target }) => onSelect(changed(selected, keys, target.checked))}
    />
  );
}
