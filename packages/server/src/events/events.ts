/** The door to events: what happened, as a list and as a live stream, and the webhooks that receive it. */
import type { Log } from '../kit/log.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import { alwaysMine, type Turn } from '../kit/turn.ts';
import type { NewEvent, Store } from '../store/records.ts';
import { type EventType, typesOf } from './event-types.ts';
import { areTold, Feeds, type Follower } from './feed.ts';
import { type EventListQuery, type EventPage, listEvents, placeOf } from './history.ts';
import { writingInOrder } from './in-order.ts';
import { type WebhookParts, Webhooks } from './webhooks.ts';

export type { EventType } from './event-types.ts';
export { eventView } from './event-view.ts';
export type { Follower } from './feed.ts';
export { jobDelivery } from './message.ts';
export { Webhooks } from './webhooks.ts';

export interface Events {
  /** Notes what happened in a page. Written in batches: a busy page costs one transaction a moment, not one an event. */
  note(event: NewEvent & { type: EventType }): void;
  flush(): Promise<void>;
  /**
   * For work that writes events of a browser by itself: what was noted of this browser before is written before, and what
   * is noted meanwhile after. So the numbers of its events are the order in which they happened.
   */
  inTurn<T>(browserId: string, work: () => Promise<T>): Promise<T>;
  list(projectId: string, query: EventListQuery): Promise<EventPage>;
  /** Live, from the event after `lastEventId` on, or from now. The caller must dispose of the follower. */
  follow(
    projectId: string,
    query: { browserId?: string; type?: readonly string[]; lastEventId?: string },
  ): Promise<Follower>;
  close(): Promise<void>;
}

const batchMs = 100;
/** Among several nodes a database that takes its time is asked less often, with more at once. */
const longBatchMs = 1000;
const longWriteMs = 50;
const mostWaiting = 10_000;

/**
 * Events of a status change are written by the change itself, in its transaction. What pages do on their own comes
 * here.
 */
export function createEvents(parts: { store: Store; log: Log; turn?: Turn }): Events {
  let waiting: NewEvent[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const { store, turn = alwaysMine } = parts;
  let tookMs = 0;
  const feeds = new Feeds(parts);

  const turns = new KeyedMutex();
  /** Browsers whose events are not written in batches now: a change of theirs is being written. */
  const held = new Set<string>();

  const append = async (batch: NewEvent[]): Promise<void> => {
    if (batch.length === 0) return;
    const began = performance.now();
    try {
      await store.events.append(batch);
    } catch (error) {
      // Kept for the next try, bounded: an unreachable database must not use up the memory.
      waiting = [...batch, ...waiting].slice(-mostWaiting);
      parts.log.error({ err: error, events: batch.length }, 'events.write_failed');
    } finally {
      tookMs = performance.now() - began;
    }
  };
  const take = (wanted: (event: NewEvent) => boolean): NewEvent[] => {
    const taken = waiting.filter(wanted);
    waiting = waiting.filter((event) => !wanted(event));
    return taken;
  };
  const write = (): Promise<void> => append(take(({ browserId }) => !held.has(browserId)));
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };
  const writeSoon = (): void => {
    if (waiting.length === 0) return;
    const isBusy = turn.nodes() > 1 && tookMs > longWriteMs;
    timer ??= setTimeout(() => void flush(), isBusy ? longBatchMs : batchMs);
  };
  return {
    note(event) {
      waiting.push(event);
      writeSoon();
    },
    flush,
    inTurn: (browserId, work) =>
      turns.run(browserId, async () => {
        held.add(browserId);
        try {
          // A batch that is being written may have some of its events.
          await writing;
          await append(take((event) => event.browserId === browserId));
          return await work();
        } finally {
          held.delete(browserId);
          writeSoon();
        }
      }),
    // What a caller has seen happen is in the list that it asks for next.
    list: async (projectId, query) => {
      await flush();
      return listEvents(store, projectId, query);
    },
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

/** What is to be sent to webhooks at the very end has so long for it. */
const longestFlushMs = 5000;

/** Builds this room. Records that have events are changed through the `store` it returns. */
export function openEvents({
  config,
  node,
  ...given
}: Omit<WebhookParts, 'nodeId' | 'bootId' | 'retriesMs'> & {
  config: { webhookRetries: number[]; shutdownGrace: number };
  node: { id: string; bootId: string };
  turn: Turn;
}): { events: Events; webhooks: Webhooks; store: Store } & AsyncDisposable {
  const parts = { ...given, nodeId: node.id, bootId: node.bootId, retriesMs: config.webhookRetries };
  const { store, turn } = given;
  store.events.tellOthers(() => turn.nodes() > 1 && areTold(turn));
  const events = createEvents(parts);
  const webhooks = new Webhooks(parts);
  return {
    events,
    webhooks,
    store: writingInOrder(store, events),
    async [Symbol.asyncDispose]() {
      await events.close();
      await webhooks.close(Math.min(longestFlushMs, config.shutdownGrace));
    },
  };
}
