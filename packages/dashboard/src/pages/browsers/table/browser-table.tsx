/** A row for each browser. On a phone, where rows are blocks without a head, the order is chosen in a list. */
import type { api, Browser } from '@browserd/sdk';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { BrowserActions, StatusBadge } from '../../../parts/browser/browser.ts';
import { Select } from '../../../parts/forms/forms.ts';
import { Badge } from '../../../parts/notices/notices.ts';
import { type Column, Table } from '../../../parts/table.tsx';
import { Time, Untrusted } from '../../../parts/text/text.ts';
import { nextSort, type Sort, type SortName, sorted, sortOf, sorts, sortText } from './sort.ts';

type Row = Browser & { record: api.Browser };

interface Props {
  browsers: readonly Row[];
  busy: boolean;
  sort: Sort;
  onSort(sort: Sort): void;
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

const nameOf = ({ id, record }: Row): string => record.name ?? id;

const facts: readonly (Column<Row> & { sort?: SortName })[] = [
  {
    head: sorts.name,
    sort: 'name',
    grows: true,
    cell: ({ id, record }) => (
      <div className="two-lines">
        <Link href={`/app/browsers/${id}`} className="row-name">
          <Untrusted text={record.name ?? id} />
        </Link>
        <span className="faint row-id">
          <code className="untrusted">{id}</code>
        </span>
      </div>
    ),
  },
  {
    head: sorts.status,
    sort: 'status',
    cell: ({ record }) => (
      <span className="row-status">
        <StatusBadge status={record.status} />
        {record.handoff?.state === 'requested' && <Badge tone="warning">needs you</Badge>}
        {record.handoff?.state === 'person' && <Badge tone="busy">taken over</Badge>}
      </span>
    ),
  },
  { head: sorts.tabs, sort: 'tabs', end: true, cell: ({ record }) => record.tabs },
  { head: sorts.lastActionAt, sort: 'lastActionAt', cell: ({ record }) => <Time at={record.lastActionAt} /> },
  { head: sorts.createdAt, sort: 'createdAt', cell: ({ record }) => <Time at={record.createdAt} /> },
  {
    head: 'Actions',
    end: true,
    cell: (row) => (
      <div>
        <BrowserActions browser={row} record={row.record} />
      </div>
    ),
  },
];

const orders = (Object.keys(sorts) as SortName[]).flatMap((by) =>
  [false, true].map((descending) => ({
    value: sortText({ by, descending }),
    label: `${sorts[by]}, ${descending ? 'descending' : 'ascending'}`,
  })),
);

export function BrowserTable({ browsers, busy, sort, onSort, selected, onSelect }: Props) {
  const rows = useMemo(() => sorted(browsers, sort), [browsers, sort]);
  const columns = facts.map(({ sort: by, ...column }) => ({
    ...column,
    ...(by && {
      sorted:
        sort.by === by ? (sort.descending ? ('descending' as const) : ('ascending' as const)) : undefined,
      onSort: () => onSort(nextSort(sort, by)),
    }),
  }));
  return (
    <>
      <div className="sort-choice">
        <Select
          label="Sort by"
          value={sortText(sort)}
          choices={orders}
          onValue={(text) => onSort(sortOf(text))}
        />
      </div>
      <div className="panel browser-table" aria-busy={busy}>
        <Table
          label="Browsers"
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          selection={{ selected, onSelect, nameOf }}
        />
      </div>
    </>
  );
}
