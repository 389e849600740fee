/** The picture of a browser in its card, or the reason why there is none. */
import type { api } from '@browserd/sdk';
import { type RefObject, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Icon } from '../../parts/controls/controls.ts';
import type { Shot, Thumbnails } from './thumbnails.ts';

/** Whether an element is on the screen. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return seen;
}

export function useShot(thumbnails: Thumbnails, id: string, wanted: boolean): Shot | undefined {
  const subscribe = useCallback(
    (update: () => void) => (wanted ? thumbnails.want(id, update) : () => {}),
    [thumbnails, id, wanted],
  );
  return useSyncExternalStore(subscribe, () => (wanted ? thumbnails.shot(id) : undefined));
}

const words: Record<api.BrowserStatus, string> = {
  creating: 'Starting…',
  ready: 'Loading preview…',
  stopping: 'Stopping…',
  stopped: 'Stopped, state kept',
  resuming: 'Resuming…',
  recovering: 'Recovering…',
  closing: 'Closing…',
  closed: 'Closed',
  failed: 'Failed',
};

function wordsFor({ status, queue }: api.Browser): string {
  if (queue) return `Queued at position ${queue.position}`;
  return words[status];
}

/** The box has its size from the start, so that cards do not jump. */
export function Thumbnail({ record, shot }: { record: api.Browser; shot: Shot | undefined }) {
  return (
    <div className="thumbnail">
      {shot ? (
        <img src={shot.src} alt="" />
      ) : (
        <p>
          <Icon name={record.status === 'failed' ? 'warning' : 'browsers'} size={20} />
          {wordsFor(record)}
        </p>
      )}
    </div>
  );
}
