/** A list of the service, page after page, in all its states: loading, failed, empty, loaded. */
import type { Listing, Page } from '@browserd/sdk';
import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../parts/controls/controls.ts';
import { ErrorNote, Skeleton } from '../parts/notices/notices.ts';

type Listed<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item>, string | undefined>>;

interface Options<Item> {
  /** In milliseconds; by the items where only some of them change without an event. */
  refetchInterval?: number | ((items: Item[]) => number | false);
  /** Shows the items of the previous key until the new ones are loaded. */
  keepsBefore?: boolean;
}

export const useListed = <Item,>(
  key: QueryKey,
  list: (signal: AbortSignal) => Listing<Item>,
  { refetchInterval, keepsBefore }: Options<Item> = {},
): Listed<Item> =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => list(signal).page(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval:
      typeof refetchInterval === 'function'
        ? ({ state }) => refetchInterval(state.data?.pages.flatMap(({ items }) => items) ?? [])
        : refetchInterval,
    ...(keepsBefore && { placeholderData: keepPreviousData }),
  });

interface Props<Item> {
  list: Listed<Item>;
  /** Shown in place of an empty list. */
  empty: ReactNode;
  children(items: Item[]): ReactNode;
}

export function ListedItems<Item>({ list, empty, children }: Props<Item>) {
  if (list.isPending) return <Skeleton />;
  const items = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isError && <ErrorNote error={list.error} onRetry={() => void list.refetch()} />}
      {items.length > 0 ? children(items) : !list.isError && empty}
      <LoadMore list={list} />
    </>
  );
}

export function LoadMore<Item>({ list }: { list: Listed<Item> }) {
  if (!list.hasNextPage) return null;
  return (
    <div className="foot-row">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Load more
      </Button>
    </div>
  );
}
