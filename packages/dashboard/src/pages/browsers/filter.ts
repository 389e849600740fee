/**
 * Which browsers are shown, how, and in which order. All of it is in the address of the page, so that it can be
 * bookmarked and shared; status and search are applied by the service.
 *
 *   ?show=ready&search=team=red checkout&as=table&sort=-lastActionAt
 */
import type { api } from '@browserd/sdk';

export const shows = {
  open: {
    label: 'Open',
    statuses: ['creating', 'ready', 'stopping', 'stopped', 'resuming', 'recovering', 'closing', 'failed'],
  },
  ready: { label: 'Ready', statuses: ['ready'] },
  stopped: { label: 'Stopped', statuses: ['stopped', 'stopping'] },
  failed: { label: 'Failed', statuses: ['failed'] },
  closed: { label: 'Closed', statuses: ['closed'] },
  all: { label: 'All', statuses: [] },
} as const satisfies Record<string, { label: string; statuses: readonly api.BrowserStatus[] }>;
export type Show = keyof typeof shows;

export interface Filter {
  status: api.BrowserStatus[];
  search?: string;
}

/** As much as the service takes. */
const longestSearch = 200;

export const showOf = (text: string | null): Show =>
  text !== null && Object.hasOwn(shows, text) ? (text as Show) : 'open';

export function filterOf(show: Show, search: string): Filter {
  const text = search.trim().slice(0, longestSearch).trim();
  return { status: [...shows[show].statuses], ...(text && { search: text }) };
}

/** How many browsers a choice holds. */
export function countOf(show: Show, { total, status }: api.BrowserCounts): number {
  const { statuses } = shows[show];
  return statuses.length === 0 ? total : statuses.reduce((sum, name) => sum + status[name], 0);
}
