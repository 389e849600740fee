import type { api } from '@browserd/sdk';
import { useEffect, useEffectEvent } from 'react';
import { usePageVisible } from './browser/live/page-visible.ts';
import { useClient } from './session.tsx';

/**
 * What happens in the project, as it happens. Only while somebody sees the page: a browser opens few connections to one
 * host, and tabs in the background must not take them all. `onGap` is for what happened meanwhile.
 */
const againMs = 5000;

interface Following {
  onEvent(event: api.Event): void;
  onGap(): void;
}

export function useProjectEvents(types: readonly api.EventPattern[], following: Following): void {
  const client = useClient();
  const visible = usePageVisible();
  const tell = useEffectEvent((event: api.Event) => following.onEvent(event));
  const missed = useEffectEvent(() => following.onGap());
  const wanted = types.join();
  useEffect(() => {
    if (!visible) return;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const type = wanted.split(',') as api.EventPattern[];
        for await (const event of client.events.follow({ type, signal: end.signal })) tell(event);
      } catch {
        // a line that can be taken up again is, by the SDK; what ends up here is told by the calls of the page
      }
      if (!end.signal.aborted) timer = setTimeout(run, againMs);
    };
    void run();
    return () => {
      clearTimeout(timer);
      end.abort();
      missed();
    };
  }, [client, visible, wanted]);
}
