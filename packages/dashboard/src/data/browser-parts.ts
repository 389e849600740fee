/**
 * The data of one browser in parts, each under a cache key of its own. Events say which parts are stale, so only parts
 * without an event are polled.
 */
import type { api, Browser } from '@browserd/sdk';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useClient } from '../session/session.ts';

export type Part =
  | 'record'
  | 'status'
  | 'tabs'
  | 'handoff'
  | 'recordings'
  | 'files'
  | 'downloads'
  | 'dialogs'
  | 'permissions'
  | 'captcha';

export const keyOf = (id: string, part: Part): readonly string[] => ['browser', id, part];

const staleAfter: Record<string, readonly Part[]> = {
  browser: ['record', 'status', 'tabs', 'handoff', 'recordings', 'dialogs', 'permissions', 'captcha'],
  tab: ['status', 'tabs', 'captcha'],
  script: ['status', 'tabs', 'files'],
  download: ['downloads'],
  dialog: ['dialogs', 'tabs'],
  recording: ['recordings'],
  captcha: ['captcha'],
};

export const partsTouchedBy = (type: api.EventType): readonly Part[] =>
  staleAfter[type.split('.')[0] ?? ''] ?? [];

export function refresh(queries: QueryClient, id: string, parts: Iterable<Part>): void {
  for (const part of parts) void queries.invalidateQueries({ queryKey: keyOf(id, part) });
}

export function useBrowser(id: string): Browser {
  const client = useClient();
  return useMemo(() => client.browser(id), [client, id]);
}

interface PartOptions<T> {
  enabled?: boolean;
  /** For data that change without an event. */
  refetchInterval?: number | ((data: T | undefined) => number | false);
}

export function usePart<T>(
  browser: Browser,
  part: Part,
  fetch: (signal: AbortSignal) => Promise<T>,
  { enabled = true, refetchInterval = false as never }: PartOptions<T> = {},
) {
  return useQuery({
    queryKey: keyOf(browser.id, part),
    queryFn: ({ signal }) => fetch(signal),
    enabled,
    refetchInterval:
      typeof refetchInterval === 'function' ? ({ state }) => refetchInterval(state.data) : refetchInterval,
  });
}
