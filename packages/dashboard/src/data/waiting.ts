/**
 * The browsers that wait for a person. They are asked for in hidden tabs too: it is there that the title of the page has
 * to say that a person is needed. Events make it quicker where a page follows them.
 */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/session.ts';
import { queryKeys } from './query-keys.ts';

const everyMs = 10_000;
const most = 100;

export function useWaiting() {
  const client = useClient();
  const { data } = useQuery({
    queryKey: queryKeys.waiting,
    queryFn: ({ signal }) =>
      client.browsers.list({ handoff: ['requested'], limit: most }, { signal }).all(most),
    refetchInterval: everyMs,
    refetchIntervalInBackground: true,
  });
  return data ?? [];
}
