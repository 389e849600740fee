/** A table; on a phone each row becomes a block. */
import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Also the label of the cell on a phone. */
  head: string;
  cell(row: Row): ReactNode;
  /** Aligned to the end, for numbers and buttons. */
  end?: boolean;
  /** Takes the remaining width. */
  grows?: boolean;
}
interface TableProps<Row> {
  /** For screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Below a row, over its whole width. */
  detail?(row: Row): ReactNode;
}

const classOf = ({ end, grows }: { end?: boolean; grows?: boolean }): string | undefined =>
  [end && 'end', grows && 'grows'].filter(Boolean).join(' ') || undefined;

export function Table<Row>({ label, columns, rows, keyOf, detail }: TableProps<Row>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.head} scope="col" className={classOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => {
        const below = detail?.(row);
        return (
          <tbody key={keyOf(row)}>
            <tr>
              {columns.map((column) => (
                <td key={column.head} className={classOf(column)} data-label={column.head}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
            {below && (
              <tr className="detail">
                <td colSpan={columns.length}>{below}</td>
              </tr>
            )}
          </tbody>
        );
      })}
    </table>
  );
}
