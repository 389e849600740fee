/** The door to events: what happened, as a list and as a live stream, and the webhooks that receive it. */
import type { Log } from '../kit/log.ts';
import type { NewEvent, Store } from '../store/records.ts';
import { type EventType, typesOf } from './event-types.ts';
import { Feeds, type Follower } from './feed.ts';
import { type EventListQuery, type EventPage, listEvents, placeOf } from './history.ts';
import { type WebhookParts, Webhooks } from './webhooks.ts';

export type { EventType } from './event-types.ts';
export { eventView } from './event-view.ts';
export type { Follower } from './feed.ts';
export { Webhooks } from './webhooks.ts';

export interface Events {
  /** Notes what happened in a page. Written in batches: a busy page costs one transaction a moment, not one an event. */
  note(event: NewEvent & { type: EventType }): void;
  flush(): Promise<void>;
  list(projectId: string, query: EventListQuery): Promise<EventPage>;
  /** Live, from the event after `lastEventId` on, or from now. The caller must dispose of the follower. */
  follow(
    projectId: string,
    query: { browserId?: string; type?: readonly string[]; lastEventId?: string },
  ): Promise<Follower>;
  close(): Promise<void>;
}

const batchMs = 100;
const mostWaiting = 10_000;

/**
 * Events of a status change are written by the change itself, in its transaction. What pages do on their own comes
 * here.
 */
export function createEvents(parts: { store: Store; log: Log }): Events {
  let waiting: NewEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const { store } = parts;
  const feeds = new Feeds(parts);

  const write = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      await store.events.append(batch);
    } catch (error) {
      // Kept for the next try, bounded: an unreachable database must not use up the memory.
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
    list: (projectId, query) => listEvents(store, projectId, query),
    follow: async (projectId, { browserId, type, lastEventId }) => {
      const after = await placeOf(store, projectId, lastEventId);
      return feeds.follow({ projectId, browserId, types: typesOf(type) }, after);
    },
    close: async () => {
      feeds.close();
      await flush();
    },
  };
}

/** Builds this room. What is to be sent to webhooks at the very end has `flushMs` for it. */
export function openEvents(
  parts: WebhookParts & { flushMs: number },
): { events: Events; webhooks: Webhooks } & AsyncDisposable {
  const events = createEvents(parts);
  const webhooks = new Webhooks(parts);
  return {
    events,
    webhooks,
    async [Symbol.asyncDispose]() {
      await events.close();
      await webhooks.close(parts.flushMs);
    },
  };
}
