/** The list of browsers, page after page; events say when it is stale. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryKeys, useListed, useProjectEvents } from '../../data/data.ts';
import { useClient } from '../../session/session.ts';
import { type Filter, fits } from './filter.ts';

const pageSize = 24;
/** Events come in bursts; the list is fetched once per burst, and at most this often for each of its pages. */
const refreshMs = 400;

export function useBrowserList({ status, metadata, words }: Filter) {
  const client = useClient();
  const list = useListed(
    [...queryKeys.browsers, status, metadata],
    (signal) => client.browsers.list({ status, metadata, limit: pageSize }, { signal }),
    // data without an event, such as the number of tabs, are polled slowly
    { keepsBefore: true, refetchInterval: 20_000 },
  );
  const refresh = useRefresh(list.data?.pages.length ?? 1);
  useProjectEvents(['browser.*'], { onEvent: refresh, onGap: refresh });
  const loaded = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return { list, loaded: loaded.length, browsers: loaded.filter(({ record }) => fits(record, words)) };
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
