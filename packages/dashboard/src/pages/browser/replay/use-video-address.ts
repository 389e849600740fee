/**
 * Where the video of a recording streams from. A `<video>` cannot send the key, so it gets a signed address of this one
 * recording, and fetches of it what it shows: a long video plays at once, and seeks without being loaded whole.
 */
import type { Browser } from '@browserd/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../session/session.ts';

/** Longer than a person watches; the address is not renewed, because another one would begin the video anew. */
const ttlSeconds = 43_200;
const usedForMs = (ttlSeconds - 3600) * 1000;

export function useVideoAddress(browser: Browser, recordingId: string) {
  const client = useClient();
  return useQuery({
    queryKey: ['browser', browser.id, 'recording', recordingId, 'address'],
    queryFn: async ({ signal }) => {
      const { url } = await browser.recordings.address(recordingId, { ttlSeconds, signal });
      // the service may have another public name than the one used here, and only from this origin media may come
      return `${client.baseUrl}/v1/browsers/${browser.id}/recordings/${recordingId}/content${new URL(url).search}`;
    },
    staleTime: usedForMs,
    gcTime: usedForMs,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
