/**
 * The events of a browser: the latest of the past, then each as it happens, while the page is visible. A busy page causes
 * hundreds a second, so they are taken in small batches, and the oldest are dropped. The SDK resumes a broken stream; a
 * stream that could not be opened is tried again here, unless the service refuses it.
 */
import { type api, type Browser, BrowserdError } from '@browserd/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type Part,
  partsTouchedBy,
  queryKeys,
  refresh,
  useBrowser,
  usePageVisible,
} from '../../data/data.ts';

export interface BrowserEvents {
  /** Oldest first. */
  events: readonly api.Event[];
  loading: boolean;
  error: unknown;
  /** There are older events that are not loaded. */
  cut: boolean;
  /** After an error. */
  retry: () => void;
}

const firstEvents = 500;
const pageSize = 100;
const mostKept = 2000;
const batchMs = 150;
const againMs = 5000;
const nothing: Omit<BrowserEvents, 'retry'> = { events: [], loading: true, error: undefined, cut: false };

export function useBrowserEvents(id: string): BrowserEvents {
  const browser = useBrowser(id);
  const queries = useQueryClient();
  const isVisible = usePageVisible();
  const [known, setKnown] = useState(nothing);
  const [attempt, setAttempt] = useState(0);
  const newest = useRef<number>(undefined);
  const retry = useCallback(() => {
    setKnown((before) => ({ ...before, error: undefined }));
    setAttempt((made) => made + 1);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts over
  useEffect(() => {
    if (!isVisible) return;
    const end = new AbortController();
    const batch: api.Event[] = [];
    const take = (): void => {
      const fresh = batch.splice(0);
      if (fresh.length === 0) return;
      newest.current = fresh.at(-1)?.seq;
      if (fresh.some(({ type }) => type === 'browser.handoff'))
        void queries.invalidateQueries({ queryKey: queryKeys.waiting });
      refresh(queries, id, new Set<Part>(fresh.flatMap(({ type }) => partsTouchedBy(type))));
      setKnown((before) => joined(before, fresh));
    };
    const timer = setInterval(take, batchMs);
    let again: ReturnType<typeof setTimeout> | undefined;
    const run = async (signal: AbortSignal): Promise<void> => {
      if (newest.current === undefined) {
        const past = await latest(browser, signal);
        newest.current = past.events.at(-1)?.seq ?? 0;
        setKnown(past);
      }
      for await (const event of browser.events.follow({ lastEventId: newest.current, signal }))
        batch.push(event);
    };
    run(end.signal).catch((error: unknown) => {
      if (end.signal.aborted) return;
      setKnown((before) => ({ ...before, loading: false, error }));
      if (mayPass(error)) again = setTimeout(retry, againMs);
    });
    return () => {
      clearInterval(timer);
      clearTimeout(again);
      end.abort();
      take();
    };
  }, [browser, id, queries, isVisible, attempt, retry]);
  return { ...known, retry };
}

/** A refusal is final, such as for the events of a browser whose record is gone. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof BrowserdError) || error.status < 400 || error.status === 429 || error.status >= 500;

type Known = typeof nothing;

const joined = (before: Known, fresh: readonly api.Event[]): Known => {
  const events = [...before.events, ...fresh];
  const over = events.length - mostKept;
  return over > 0
    ? { ...before, error: undefined, events: events.slice(over), cut: true }
    : { ...before, error: undefined, events };
};

async function latest(browser: Browser, signal: AbortSignal): Promise<Known> {
  const events = await browser.events.list({ order: 'desc', limit: pageSize }, { signal }).all(firstEvents);
  return {
    events: events.toReversed(),
    loading: false,
    error: undefined,
    cut: events.length === firstEvents,
  };
}
