/**
 * Events of the project, as they happen. Only while the page is visible: a web browser opens few connections to a host,
 * and background tabs must not use them up. `onGap` is called when events may have been missed.
 */
import type { api } from '@browserd/sdk';
import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../session/session.ts';
import { usePageVisible } from './page-visible.ts';

const againMs = 5000;

interface Following {
  onEvent(event: api.Event): void;
  onGap(): void;
}

export function useProjectEvents(types: readonly api.EventPattern[], following: Following): void {
  const client = useClient();
  const visible = usePageVisible();
  const deliver = useEffectEvent((event: api.Event) => following.onEvent(event));
  const missed = useEffectEvent(() => following.onGap());
  const wanted = types.join();
  useEffect(() => {
    if (!visible) return;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const type = wanted.split(',') as api.EventPattern[];
        const { signal } = end;
        const { items } = await client.events.list({ type, order: 'desc', limit: 1 }, { signal }).page();
        // What the page shows may have been read before this event, and nothing would tell of it.
        missed();
        const lastEventId = items[0]?.seq ?? 0;
        for await (const event of client.events.follow({ type, lastEventId, signal })) deliver(event);
      } catch {
        // the SDK resumes a broken stream; any other failure shows in the calls of the page
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
