/**
 * Brings events to webhooks, each at least once, over any crash:
 *
 *   events ──advance──> delivery rows (with the webhook's place, one transaction) ──claim──> post ──settle──> delivered,
 *                                                                                    ↑                       failed
 *                                                                                    └── pending, later ◄────┘
 *
 * A claim lapses by itself, so that what a dead node held is sent by another. Each project has a lane of its own
 * (project-lane.ts), and a webhook that answers slowly or not at all holds a few places of its own and none of the others'.
 *
 * Of several nodes, an event wakes the one whose turn its project is, and one looks for what is to be sent again. The others
 * look seldom, for what a wrong guess about turns has left.
 */
import { alwaysMine, type Turn } from '../kit/turn.ts';
import { type LaneParts, ProjectLane } from './project-lane.ts';
import type { SendParts } from './send.ts';
import { SendingPlaces } from './sending-places.ts';

export interface DispatcherParts extends Omit<SendParts, 'hurry'> {
  turn?: Turn;
  lookEveryMs?: number;
}

const usualLookMs = 1000;
/** Every so many looks, also of a node whose turn it is not. */
const looksOfOthers = 10;
const placeLimits = { own: 2, ofProject: 16, inAll: 64 };

export class Dispatcher {
  readonly #parts: DispatcherParts;
  readonly #laneParts: LaneParts;
  readonly #lanes = new Map<string, ProjectLane>();
  readonly #hurry = new AbortController();
  #off: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #again = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#laneParts = {
      ...parts,
      hurry: this.#hurry.signal,
      places: new SendingPlaces(placeLimits),
      isShared: () => (parts.turn ?? alwaysMine).nodes() > 1,
    };
  }

  /** What an earlier boot of this node was sending when it ended is sent now. */
  async start(): Promise<void> {
    const { store, nodeId, turn = alwaysMine, lookEveryMs = usualLookMs } = this.#parts;
    await store.deliveries.release(nodeId, Date.now());
    let looks = 1;
    const look = (): void => {
      // Each moment another node, so that one that is gone and not yet missed costs a moment.
      const moment = Math.floor(Date.now() / lookEveryMs);
      if (turn.isMine(`webhooks ${moment}`) || looks++ % looksOfOthers === 0) void this.#look();
    };
    const timer = setInterval(look, lookEveryMs).unref();
    const unwatch = store.events.watch((projectId) => {
      if (projectId === undefined) void this.#look();
      else if (turn.isMine(projectId)) this.wake(projectId);
    });
    this.#off = () => {
      clearInterval(timer);
      unwatch();
    };
    void this.#look();
  }

  wake(projectId: string): void {
    const lane = this.#lanes.get(projectId) ?? new ProjectLane(projectId, this.#laneParts);
    this.#lanes.set(projectId, lane);
    lane.wake();
  }

  /** What is to be sent now is still sent, for as long as there is time; the rest waits for the next start. */
  async close(flushMs: number): Promise<void> {
    if (!this.#off) return;
    this.#off();
    const over = AbortSignal.timeout(flushMs);
    const ended = new Promise<void>((resolve) =>
      over.addEventListener('abort', () => resolve(), { once: true }),
    );
    const rest = (): Promise<unknown> => Promise.all([...this.#lanes.values()].map((lane) => lane.rest()));
    await Promise.race([this.#look().then(rest), ended]);
    this.#hurry.abort();
    await this.#looking;
    await rest();
    await this.#parts.store.deliveries.release(this.#parts.nodeId, Date.now());
  }

  /** Wakes every project that has something to plan or to send. One look at a time. */
  #look(): Promise<void> {
    this.#again = true;
    this.#looking ??= this.#looks().finally(() => {
      this.#looking = undefined;
      // Of the moment between its last look and now.
      if (this.#again && !this.#hurry.signal.aborted) void this.#look();
    });
    return this.#looking;
  }

  async #looks(): Promise<void> {
    const { store, log } = this.#parts;
    try {
      while (this.#again && !this.#hurry.signal.aborted) {
        this.#again = false;
        for (const projectId of await store.webhooks.projectsWaiting(Date.now())) this.wake(projectId);
      }
    } catch (error) {
      this.#again = false;
      log.warn({ err: error }, 'webhooks.round_failed');
    }
  }
}
