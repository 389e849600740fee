/**
 * An address for the viewer. It is needed to connect, not to stay connected, so a new one is fetched some time before the
 * old one expires, and the frame takes it over without reconnecting.
 */
import type { Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.ts';

const ttlSeconds = 3600;
const renewAfterMs = (ttlSeconds - 600) * 1000;

export type ViewMode = 'view' | 'control';

export function useViewerAddress(browser: Browser, mode: ViewMode, wanted: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ['browser', browser.id, 'live', mode],
    queryFn: async ({ signal }) => {
      const { url } = await browser.live({ mode, ttlSeconds }, { signal });
      // the service may have another public name than the one used here, and only this origin may be framed
      return `${client.baseUrl}/live/${browser.id}${new URL(url).hash}`;
    },
    enabled: wanted,
    staleTime: renewAfterMs,
    gcTime: renewAfterMs,
    refetchInterval: renewAfterMs,
    refetchOnWindowFocus: true,
  });
}
