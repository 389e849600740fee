import type { Log } from '../kit/log.ts';
import type { NewEvent, Store } from '../store/records.ts';

/** The event words of the API. */
export type EventType =
  | `browser.${'created' | 'ready' | 'stopping' | 'stopped' | 'resuming' | 'recovering' | 'recovered' | 'closing' | 'closed' | 'failed'}`
  | `tab.${'opened' | 'closed' | 'navigated' | 'crashed'}`
  | `script.${'started' | 'completed' | 'failed'}`
  | `recording.${'ready' | 'failed'}`
  | `download.${'started' | 'completed' | 'failed'}`
  | 'policy.blocked';

export interface Events {
  /** Notes what happened in a page. Written in batches: a busy page costs one transaction a moment, not one an event. */
  note(event: NewEvent & { type: EventType }): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const batchMs = 100;
const mostWaiting = 10_000;

/**
 * Events of a status change are written by the change itself, in its transaction. What pages do on their
 * own comes here.
 */
export function createEvents(parts: { store: Store; log: Log }): Events {
  let waiting: NewEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await parts.store.events.append(batch);
    } catch (error) {
      // Kept for the next try, bounded: a dead database must not eat the memory.
      waiting = [...batch, ...waiting].slice(-mostWaiting);
      parts.log.error({ err: error, events: batch.length }, 'events.write_failed');
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  return {
    note(event) {
      waiting.push(event);
      timer ??= setTimeout(() => void flush(), batchMs);
    },
    flush,
    close: flush,
  };
}
