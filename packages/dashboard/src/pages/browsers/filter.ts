/**
 * Which browsers are shown. The filter is in the address of the page, so that it can be bookmarked and shared:
 *
 *   ?show=ready&search=team=red checkout   ──>   status and metadata go to the service,
 *                                                other words are searched in the loaded browsers
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
  metadata: Record<string, string>;
  words: string[];
}

export const showOf = (text: string | null): Show =>
  text !== null && Object.hasOwn(shows, text) ? (text as Show) : 'open';

export function filterOf(show: Show, search: string): Filter {
  const metadata: Record<string, string> = {};
  const words: string[] = [];
  for (const word of search.split(/\s+/).filter(Boolean)) {
    const [, key, value] = /^([^=]+)=(.+)$/.exec(word) ?? [];
    if (key && value) metadata[key] = value;
    else words.push(word.toLowerCase());
  }
  return { status: [...shows[show].statuses], metadata, words };
}

/** Every word must occur in the name, the metadata or the id. */
export function fits(
  { id, name = '', metadata }: Pick<api.Browser, 'id' | 'name' | 'metadata'>,
  words: string[],
): boolean {
  const text = [id, name, ...Object.entries(metadata).flat()].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
