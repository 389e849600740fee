import { QueryClient } from '@tanstack/react-query';

/** Under what lists are kept; what changes one of them makes it stale. */
export const queryKeys = { browsers: ['browsers'], keys: ['keys'], webhooks: ['webhooks'] } as const;

/** The SDK tries again by itself where that is safe, so nothing is tried again here. */
export const newQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always', staleTime: 5000, refetchOnReconnect: false },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
