/**
 * Live events. All followers of a project share one reader of the store, woken by its signals:
 *
 *   store ──signal, or now and then──> ProjectFeed (the latest events) ──> Follower ──> …
 *                                                                          └─ further back: a page from the store
 *
 * A follower pulls: it holds its place and nothing else, so that a slow one costs no memory. Since the numbers of a
 * project's events grow in the order of their commits, a place is enough to miss nothing and to see nothing twice.
 */
import type { Log } from '../kit/log.ts';
import { alwaysMine, type Turn } from '../kit/turn.ts';
import type { EventQuery, EventRecord, Store } from '../store/records.ts';

const lookEveryMs = 250;
/** While there are signals, every so many looks are enough. */
const looksWithSignals = 4;
/** More nodes than that do not tell each other of each event: who follows looks more often instead. */
const mostTold = 16;
const readAtOnce = 500;
const keptMost = 1000;
const pageSize = 100;

export const areTold = (turn: Turn): boolean => turn.nodes() <= mostTold;

export type Followed = Pick<EventQuery, 'projectId' | 'browserId' | 'types'>;

export class Feeds {
  readonly #store: Store;
  readonly #log: Log;
  readonly #turn: Turn;
  readonly #feeds = new Map<string, ProjectFeed>();
  #off: (() => void) | undefined;

  constructor(parts: { store: Store; log: Log; turn?: Turn }) {
    this.#store = parts.store;
    this.#log = parts.log;
    this.#turn = parts.turn ?? alwaysMine;
  }

  /** From a place on, or from now: everything that is committed after this resolves will be delivered. */
  async follow(query: Followed, after?: number): Promise<Follower> {
    this.#listen();
    const { projectId } = query;
    const feed = this.#feeds.get(projectId) ?? new ProjectFeed(this.#store, projectId);
    this.#feeds.set(projectId, feed);
    feed.followers++;
    const leave = (): void => {
      if (--feed.followers > 0) return;
      this.#feeds.delete(projectId);
      if (this.#feeds.size === 0) this.close();
    };
    try {
      await feed.look();
      return new Follower({ store: this.#store, feed, query, place: after ?? feed.place, leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  close(): void {
    this.#off?.();
    this.#off = undefined;
  }

  #listen(): void {
    if (this.#off) return;
    const look = (feed: ProjectFeed | undefined): void =>
      void feed?.look().catch((error: unknown) => this.#log.warn({ err: error }, 'events.look_failed'));
    const all = (): void => this.#feeds.forEach(look);
    let looks = 0;
    const now = (): void => {
      if (++looks % looksWithSignals === 0 || !areTold(this.#turn)) all();
    };
    const timer = setInterval(now, lookEveryMs).unref();
    const unwatch = this.#store.events.watch((projectId) =>
      projectId === undefined ? all() : look(this.#feeds.get(projectId)),
    );
    this.#off = () => {
      clearInterval(timer);
      unwatch();
    };
  }
}

class ProjectFeed {
  followers = 0;
  /** The number of the last event that was read; undefined until the first look. */
  #place: number | undefined;
  /** Everything after `#from`, up to the place. */
  #recent: EventRecord[] = [];
  #from = 0;
  readonly #store: Store;
  readonly #projectId: string;
  readonly #waiting = new Set<() => void>();
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(store: Store, projectId: string) {
    this.#store = store;
    this.#projectId = projectId;
  }

  get place(): number {
    return this.#place ?? 0;
  }

  /** Resolves after a look that began after the call; calls that come before that look begins share it. */
  look(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#read();
    });
    this.#running = this.#next.catch(() => undefined);
    return this.#next;
  }

  /** The events after a place, or undefined when that lies too far back. */
  after(place: number): EventRecord[] | undefined {
    if (place < this.#from) return undefined;
    return this.#recent.slice(this.#recent.findLastIndex(({ seq }) => seq <= place) + 1);
  }

  /** Resolves when there is something new, the time is over, or the caller aborts. */
  change(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      signal.addEventListener('abort', done);
      this.#waiting.add(done);
      if (signal.aborted) done();
    });
  }

  async #read(): Promise<void> {
    const { events } = this.#store;
    if (this.#place === undefined) {
      this.#place = await events.last(this.#projectId);
      this.#from = this.#place;
      return;
    }
    let found: EventRecord[];
    do {
      found = await events.list({ projectId: this.#projectId, afterSeq: this.#place, limit: readAtOnce });
      this.#place = found.at(-1)?.seq ?? this.#place;
      this.#recent.push(...found);
      const gone = this.#recent.splice(0, Math.max(0, this.#recent.length - keptMost));
      this.#from = gone.at(-1)?.seq ?? this.#from;
      if (found.length > 0) for (const wake of [...this.#waiting]) wake();
    } while (found.length === readAtOnce);
  }
}

export class Follower implements Disposable {
  readonly #store: Store;
  readonly #feed: ProjectFeed;
  readonly #query: Followed;
  readonly #leave: () => void;
  #place: number;
  #left = false;

  constructor(parts: { store: Store; feed: ProjectFeed; query: Followed; place: number; leave: () => void }) {
    this.#store = parts.store;
    this.#feed = parts.feed;
    this.#query = parts.query;
    this.#place = parts.place;
    this.#leave = parts.leave;
  }

  /** The next events, oldest first; none when none came in that time or the caller aborted. */
  async next(waitMs: number, signal: AbortSignal): Promise<EventRecord[]> {
    const giveUpAt = performance.now() + waitMs;
    while (!signal.aborted) {
      const found = await this.#take();
      if (found.length > 0) return found;
      if (this.#place < this.#feed.place) continue;
      const left = giveUpAt - performance.now();
      if (left <= 0) break;
      await this.#feed.change(left, signal);
    }
    return [];
  }

  [Symbol.dispose](): void {
    if (!this.#left) this.#leave();
    this.#left = true;
  }

  async #take(): Promise<EventRecord[]> {
    const readUpTo = this.#feed.place;
    const near = this.#feed.after(this.#place)?.filter((event) => this.#wants(event));
    const found =
      near?.slice(0, pageSize) ??
      (await this.#store.events.list({ ...this.#query, afterSeq: this.#place, limit: pageSize }));
    const last = found.at(-1)?.seq ?? this.#place;
    // A page that is not full has seen everything that the feed had seen before.
    this.#place = found.length === pageSize ? last : Math.max(last, readUpTo, this.#place);
    return found;
  }

  #wants({ browserId, type }: EventRecord): boolean {
    const { browserId: only, types } = this.#query;
    return (only === undefined || browserId === only) && (types === undefined || types.includes(type));
  }
}
