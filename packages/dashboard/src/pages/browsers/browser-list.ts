/**
 * The list of browsers, page after page, and how many there are; events say when both are stale. A search may look
 * through more browsers than one answer can, so pages without a find are followed until something is found.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryKeys, useListed, useProjectEvents } from '../../data/data.ts';
import { useClient } from '../../session/session.ts';
import type { Filter } from './filter.ts';

/** Events come in bursts; the list is fetched once per burst, and at most this often for each of its pages. */
const refreshMs = 400;

interface Loading {
  pageSize: number;
  /** So many are loaded without being asked for. */
  atLeast: number;
}

export function useBrowserList({ status, search }: Filter, { pageSize, atLeast }: Loading) {
  const client = useClient();
  const list = useListed(
    [...queryKeys.browsers, 'list', status, search, pageSize],
    (signal) => client.browsers.list({ status, search, limit: pageSize }, { signal }),
    // data without an event, such as the number of tabs, are polled slowly
    { keepsBefore: true, refetchInterval: 20_000 },
  );
  const counts = useQuery({
    queryKey: queryKeys.counts,
    queryFn: ({ signal }) => client.browsers.count({ signal }),
    refetchInterval: 20_000,
  });
  const refresh = useRefresh(list.data?.pages.length ?? 1);
  useProjectEvents(['browser.*'], { onEvent: refresh, onGap: refresh });
  const browsers = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const isShort = browsers.length < atLeast && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isShort) void fetchNextPage();
  }, [isShort, fetchNextPage]);
  return { list, browsers, isSearching: isShort || (isFetching && hasNextPage), counts: counts.data };
}

function useRefresh(pages: number): () => void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: queryKeys.browsers });
    }, refreshMs * pages);
  };
}
