/** A query in all its states: loading, failed, loaded. Loaded data stay while they are fetched again. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote, Skeleton } from '../parts/notices/notices.ts';

export function Loaded<T>(props: {
  query: UseQueryResult<T>;
  rows?: number;
  label?: string;
  children: (data: T) => ReactNode;
}) {
  const { query, rows, label, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <Skeleton rows={rows} label={label} />;
}
