/** The cache of a session. The SDK retries where that is safe, so the cache never retries. */
import { QueryClient } from '@tanstack/react-query';

export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 5000, refetchOnReconnect: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
