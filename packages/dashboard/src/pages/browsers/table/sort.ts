/** The order of the table. It applies to what is loaded: the service lists newest first. */
import type { api } from '@browserd/sdk';

export const sorts = {
  name: 'Name',
  status: 'Status',
  tabs: 'Tabs',
  lastActionAt: 'Last active',
  createdAt: 'Created',
} as const;
export type SortName = keyof typeof sorts;

export interface Sort {
  by: SortName;
  descending: boolean;
}

export const newestFirst: Sort = { by: 'createdAt', descending: true };

/** `-createdAt` as in the address of the page. */
export function sortOf(text: string | null): Sort {
  const by = text?.replace(/^-/, '');
  if (!by || !Object.hasOwn(sorts, by)) return newestFirst;
  return { by: by as SortName, descending: text?.startsWith('-') ?? false };
}

export const sortText = ({ by, descending }: Sort): string => `${descending ? '-' : ''}${by}`;

/** The order after a click on a column: the other way round, or as people expect a new column to begin. */
export function nextSort(current: Sort, by: SortName): Sort {
  if (current.by === by) return { by, descending: !current.descending };
  return { by, descending: by === 'lastActionAt' || by === 'createdAt' || by === 'tabs' };
}

type Record = Pick<api.Browser, SortName | 'id'>;

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const compare: { [Name in SortName]: (a: Record, b: Record) => number } = {
  // those without a name come last
  name: (a, b) => Number(!a.name) - Number(!b.name) || words.compare(a.name ?? '', b.name ?? ''),
  status: (a, b) => words.compare(a.status, b.status),
  tabs: (a, b) => a.tabs - b.tabs,
  lastActionAt: (a, b) => Date.parse(a.lastActionAt) - Date.parse(b.lastActionAt),
  createdAt: (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
};

export function sorted<Item extends { record: Record }>(
  items: readonly Item[],
  { by, descending }: Sort,
): Item[] {
  const order = compare[by];
  // equal ones keep the order of the service
  return items.toSorted((a, b) => (descending ? order(b.record, a.record) : order(a.record, b.record)));
}
