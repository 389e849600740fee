/** The log of requests as it grows, while the page is visible; older requests are loaded when they are asked for. */
import type { Browser } from '@browserd/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { usePageVisible } from '../../../data/data.ts';
import type { RequestsView } from '../network-address.ts';
import { joined, mostKnown } from './known-requests.ts';
import { type Known, look, queryOf } from './look.ts';

export interface Requests extends Pick<Known, 'rows' | 'dropped' | 'isOff'> {
  /** Nothing of what is asked for now has come yet; the rows are those of before. */
  loading: boolean;
  error: unknown;
  hasOlder: boolean;
  /** There are as many as this page keeps. */
  isFull: boolean;
  loadingOlder: boolean;
  loadOlder: () => void;
  /** After an error. */
  retry: () => void;
}

const everyMs = 2000;
const nothing: Known = { key: '', rows: [], dropped: 0, isOff: false, cursor: undefined };

export function useRequests(browser: Browser, view: RequestsView, epoch: number): Requests {
  const isVisible = usePageVisible();
  const key = JSON.stringify([browser.id, epoch, queryOf(view)]);
  const [known, setKnown] = useState(nothing);
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  const [loadingOlder, setLoadingOlder] = useState(false);
  const latest = useRef(known);
  const keep = useCallback((next: Known): void => {
    latest.current = next;
    setKnown(next);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the view and the epoch; another attempt starts over
  useEffect(() => {
    if (!isVisible) return;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const current = (): Known => (latest.current.key === key ? latest.current : { ...nothing, key });
    const again = async (): Promise<void> => {
      try {
        const found = await look(browser, view, current().rows, end.signal);
        if (end.signal.aborted) return;
        keep(found(current()));
        setError(undefined);
      } catch (failure) {
        if (end.signal.aborted) return;
        setError(failure);
      }
      timer = setTimeout(again, everyMs);
    };
    void again();
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [browser, key, isVisible, attempt, keep]);
  const loadOlder = async (): Promise<void> => {
    const { cursor } = latest.current;
    setLoadingOlder(true);
    try {
      const page = await browser.network.list(queryOf(view)).page(cursor);
      const now = latest.current;
      // A log that was begun anew meanwhile has older ones of its own.
      if (now.key === key && now.cursor === cursor)
        keep({ ...now, rows: joined(now.rows, page.items), cursor: page.nextCursor });
    } catch (failure) {
      setError(failure);
    } finally {
      setLoadingOlder(false);
    }
  };
  return {
    ...known,
    error,
    loading: known.key !== key && error === undefined,
    hasOlder: known.key === key && known.cursor !== undefined,
    isFull: known.rows.length >= mostKnown,
    loadingOlder,
    loadOlder: () => void loadOlder(),
    retry: () => {
      setError(undefined);
      setAttempt((made) => made + 1);
    },
  };
}
