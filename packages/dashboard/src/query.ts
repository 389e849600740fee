import { QueryClient } from '@tanstack/react-query';

/** The SDK tries again by itself where that is safe, so nothing is tried again here. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 5000, refetchOnReconnect: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
