import type { api } from '@browserd/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Part, partsTouchedBy, refresh, useBrowser } from './browser-queries.ts';

/**
 * The events of a browser: the latest of the past, and then each as it happens. A busy page tells of hundreds a second,
 * so they are taken in small batches, and the oldest are let go.
 */
export interface BrowserEvents {
  /** Oldest first. */
  events: readonly api.Event[];
  loading: boolean;
  error: unknown;
  /** There are older ones that are not here. */
  cut: boolean;
}

const firstPages = 5;
const pageSize = 100;
const mostKept = 2000;
const batchMs = 150;
const nothing: BrowserEvents = { events: [], loading: true, error: undefined, cut: false };

export function useBrowserEvents(id: string): BrowserEvents {
  const browser = useBrowser(id);
  const queries = useQueryClient();
  const [known, setKnown] = useState(nothing);
  const batch = useRef<api.Event[]>([]);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    setKnown(nothing);
    batch.current = [];
    const take = (): void => {
      const fresh = batch.current.splice(0);
      if (fresh.length === 0) return;
      refresh(queries, id, new Set<Part>(fresh.flatMap(({ type }) => partsTouchedBy(type))));
      setKnown((before) => joined(before, fresh));
    };
    const timer = setInterval(take, batchMs);
    const run = async (): Promise<void> => {
      const past = await latest(browser.events, signal);
      setKnown(past);
      const lastEventId = past.events.at(-1)?.seq ?? 0;
      for await (const event of browser.events.follow({ lastEventId, signal })) batch.current.push(event);
    };
    run().catch((error: unknown) => {
      if (!signal.aborted) setKnown((before) => ({ ...before, loading: false, error }));
    });
    return () => {
      clearInterval(timer);
      end.abort();
    };
  }, [browser, id, queries]);
  return known;
}

const joined = (before: BrowserEvents, fresh: readonly api.Event[]): BrowserEvents => {
  const events = [...before.events, ...fresh];
  const over = events.length - mostKept;
  return over > 0 ? { ...before, events: events.slice(over), cut: true } : { ...before, events };
};

async function latest(
  all: ReturnType<typeof useBrowser>['events'],
  signal: AbortSignal,
): Promise<BrowserEvents> {
  const events = await all.list({ order: 'desc', limit: pageSize }, { signal }).all(firstPages * pageSize);
  return {
    events: events.toReversed(),
    loading: false,
    error: undefined,
    cut: events.length === firstPages * pageSize,
  };
}
