import type { Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.tsx';

/**
 * An address for the live frame. It is needed to connect, not to stay connected, so a new one is fetched some time
 * before the old one expires, and the frame takes it over without a break.
 */
const ttlSeconds = 3600;
const renewAfterMs = (ttlSeconds - 600) * 1000;

export type LiveMode = 'view' | 'control';

export function useLiveAddress(browser: Browser, mode: LiveMode, wanted: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['browser', browser.id, 'live', mode],
    queryFn: async ({ signal }) => {
      const { url } = await browser.live({ mode, ttlSeconds }, { signal });
      // the service may be known to the world by another name than the one it has here, and only this origin may be framed
      return `${client.baseUrl}/live/${browser.id}${new URL(url).hash}`;
    },
    enabled: wanted,
    staleTime: renewAfterMs,
    gcTime: renewAfterMs,
    refetchInterval: renewAfterMs,
    refetchOnWindowFocus: true,
  });
}
