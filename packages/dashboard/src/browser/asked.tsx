import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorNote } from '../parts/error-note.tsx';
import { Skeleton } from '../parts/skeleton.tsx';

/** What was asked for, while it comes, when it could not come, and when it is there. What is there stays while it is asked for again. */
export function Asked<T>(props: {
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
