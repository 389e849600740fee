import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useProjectEvents } from '../follow.ts';
import { useListed } from '../parts/listed.tsx';
import { queryKeys } from '../query.ts';
import { useClient } from '../session.tsx';
import { type Filter, fits } from './filter.ts';

const pageSize = 24;
/** Events come in bursts; the list is asked for anew once a burst, and not more often than this for each page of it. */
const calmMs = 400;

/** The list, page after page; events say when it is no longer true. */
export function useBrowserList({ status, metadata, words }: Filter) {
  const client = useClient();
  const list = useListed(
    [...queryKeys.browsers, status, metadata],
    (signal) => client.browsers.list({ status, metadata, limit: pageSize }, { signal }),
    // what changes without an event, such as the number of tabs, is asked for now and then
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
    }, calmMs * pages);
  };
}
