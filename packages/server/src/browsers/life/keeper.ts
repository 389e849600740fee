/**
 * Keeps the browsers of this node: one change at a time for each, what is under way, what must be ended at which
 * time. Crashes, idle and expired browsers and leftovers of an earlier run are its own business; what callers ask
 * for comes in through browsers-on-node.ts.
 */
import type { Claims, Cluster } from '../../cluster/cluster.ts';
import { ApiError } from '../../errors.ts';
import { KeyedMutex } from '../../kit/mutex.ts';
import type { BrowserRecord, ClaimLimits } from '../../store/records.ts';
import { isElsewhere, isOccupying, statuses, type Ticket } from '../record/record.ts';
import type { ClosedBrowser } from '../record/schema.ts';
import type { Running } from '../running/running.ts';
import { Adoptions, startsAtOnce } from './adopt.ts';
import { afterCrash } from './crash.ts';
import { Emptying, type EmptyingParts, type Going, whileReady } from './emptying.ts';
import { closedView, end, halt } from './endings.ts';
import { reconcile } from './reconcile.ts';
import { markSuspect } from './suspects.ts';
import { Expiries } from './timers.ts';
import type { TransitionParts } from './transition-parts.ts';
import { bringUp, eachOf, settle } from './transitions.ts';

export interface KeeperParts extends Omit<TransitionParts, 'running' | 'starting' | 'onCrash' | 'onIdle'> {
  startClaims: Cluster['startClaims'];
  roomElsewhere?: EmptyingParts['roomElsewhere'];
  /** How often it is looked whether records and Chromiums are at one. */
  reconcileMs: number;
}

const restarted = 'the service was restarted';
/** By which clocks of nodes may differ. */
const clocksDifferMs = 2000;

export class Keeper {
  readonly running = new Map<string, Running>();
  readonly starting: TransitionParts['starting'] = new Map();
  /** Places in the queue for capacity, by browser. */
  readonly tickets = new Map<string, Ticket>();
  /** One change of status at a time for each browser. */
  readonly turn = new KeyedMutex();
  readonly parts: TransitionParts;
  readonly expiries = new Expiries((id) => this.#inBackground(this.expire(id)));
  readonly #keeping: Pick<KeeperParts, 'startClaims' | 'reconcileMs'>;
  readonly #adoptions: Adoptions;
  readonly #cancels = new Map<string, AbortController>();
  readonly #work = new Set<Promise<unknown>>();
  readonly #emptying: Emptying;
  readonly #claims = new DisposableStack();
  #reconciler: NodeJS.Timeout | undefined;
  #draining = false;
  /** Browsers go to other nodes, and none comes any more. */
  #leaving = false;

  constructor(parts: KeeperParts) {
    this.#keeping = parts;
    this.parts = {
      ...parts,
      running: this.running,
      starting: this.starting,
      onCrash: (running) => this.#inBackground(this.#recoverCrashed(running)),
      onIdle: (running) => this.#inBackground(this.#stopIdle(running)),
    };
    this.#adoptions = new Adoptions(this.parts);
    const { roomElsewhere } = parts;
    this.#emptying = new Emptying({
      parts: this.parts,
      turn: this.turn,
      expiries: this.expiries,
      roomElsewhere,
    });
  }

  /** Takes up what an earlier run of the service left; resolves when it is known, not when it is done. */
  async start(): Promise<void> {
    const { nodeId, bootId, alone } = this.parts;
    const open = await this.parts.store.browsers.ofNode(
      nodeId,
      statuses.filter((status) => status !== 'closed'),
    );
    // The others are at home here, and no boot needs to hold them, or another does.
    const held = open.filter(({ holder, status }) => (alone ? isOccupying(status) : holder === bootId));
    await this.parts.profiles.sweep(new Set(open.map((record) => record.id)));
    await this.parts.saved.releaseDead();
    this.parts.pool.fill();
    for (const record of open) this.expiries.set(record.id, record.expiresAt);
    await markSuspect(this.parts, held, restarted);
    this.#inBackground(this.#settleAll(held, restarted));
    this.parts.vault?.start(
      open.filter(({ status }) => status === 'stopped'),
      this.turn,
    );
    const { startClaims, reconcileMs } = this.#keeping;
    const { capacity, vault } = this.parts;
    /** Nothing is claimed before it is known which profiles this node can use. */
    let majors: ClaimLimits['majors'];
    const claims: Claims = this.#claims.use(
      startClaims(
        (records) => this.#adopt(records, claims),
        () => (this.takesNoMore || !majors ? 0 : this.#adoptions.room()),
        () => ({ mostOfProject: capacity.mostOfProject, except: capacity.fullProjects(), majors }),
      ),
    );
    this.#claims.defer(capacity.onFreed(() => claims.look()));
    void (vault?.majors() ?? Promise.resolve({})).then((found) => {
      majors = found;
      claims.look();
    });
    this.#reconciler = setInterval(() => this.#inBackground(this.#reconcile()), reconcileMs).unref();
  }

  #adopt(records: readonly BrowserRecord[], claims: Claims): void {
    for (const record of records) {
      if (this.#draining) return;
      const { id, expiresAt } = record;
      this.expiries.set(id, expiresAt);
      const adopted = this.#adoptions.take(record, (work) =>
        this.turn.run(id, async () => (this.#draining ? undefined : this.cancellable(id, work))),
      );
      this.#inBackground(adopted.finally(() => claims.look()));
    }
  }

  get takesNoMore(): boolean {
    return this.#draining || this.#leaving;
  }

  /** Browsers go to other nodes, as far as they have room, and none comes any more. */
  handOverAll(going: Going): Promise<void> {
    this.#leaving = true;
    return this.#emptying.handOverAll(going);
  }

  /** Browsers are handed over, or stopped with their state saved; nothing of them runs when it resolves. */
  async shutdown(): Promise<void> {
    this.#takeNoMore();
    await Promise.allSettled([...this.#work]);
    await this.#emptying.endAll();
  }

  /** This boot may not act any more: every Chromium is ended at once, and nothing is written about it. */
  async abandon(): Promise<void> {
    this.#takeNoMore();
    const all = [...this.running.values()];
    this.running.clear();
    await Promise.allSettled(all.map((running) => running[Symbol.asyncDispose]()));
  }

  #takeNoMore(): void {
    this.#draining = true;
    this.#claims.dispose();
    clearInterval(this.#reconciler);
    this.expiries.clearAll();
    for (const cancel of this.#cancels.values()) cancel.abort(shuttingDown());
  }

  refuseWhileDraining(): void {
    if (this.#draining) throw shuttingDown();
  }

  /** creating → ready. Goes on when the caller does not wait for it. */
  begin(record: BrowserRecord, ticket: Ticket, cancel: AbortController): Promise<BrowserRecord> {
    this.expiries.set(record.id, record.expiresAt);
    this.tickets.set(record.id, ticket);
    const ready = this.turn.run(record.id, () => this.#bringUp(record, ticket, cancel));
    this.#inBackground(ready);
    return ready;
  }

  async #bringUp(record: BrowserRecord, given: Ticket, cancel: AbortController): Promise<BrowserRecord> {
    using ticket = given;
    try {
      const work = () => bringUp(this.parts, record, ticket.slot, cancel.signal);
      return await this.cancellable(record.id, work, cancel);
    } finally {
      this.tickets.delete(record.id);
    }
  }

  /** Work on a browser that closing it, or the shutdown, cuts short. */
  async cancellable<T>(
    id: string,
    work: (signal: AbortSignal) => Promise<T>,
    cancel = new AbortController(),
  ): Promise<T> {
    this.#cancels.set(id, cancel);
    try {
      return await work(cancel.signal);
    } finally {
      this.#cancels.delete(id);
    }
  }

  async end(id: string, reason: string | null): Promise<ClosedBrowser> {
    this.#cancels.get(id)?.abort(
      new ApiError('BROWSER_NOT_READY', `Browser ${id} was closed while it was being started.`, {
        nextStep: 'create_browser',
      }),
    );
    return this.turn.run(id, async () => {
      const record = await this.parts.store.browsers.get(id);
      if (!record) throw new ApiError('BROWSER_NOT_FOUND', `There is no browser ${id}.`);
      this.expiries.clear(id);
      return record.status === 'closed' ? closedView(record) : end(this.parts, record, reason);
    });
  }

  /** Its time may have been changed, and it may have gone on, at another node. */
  async expire(id: string): Promise<void> {
    const record = await this.parts.store.browsers.get(id);
    if (!record || isElsewhere(record, this.parts)) return;
    if (record.expiresAt > Date.now() + clocksDifferMs) this.expiries.set(id, record.expiresAt);
    else await this.end(id, 'its maximum duration was reached');
  }

  #recoverCrashed(crashed: Running): Promise<void> {
    const crash = {
      parts: this.parts,
      isStopping: () => this.#draining,
      cancellable: (id: string, work: (signal: AbortSignal) => Promise<unknown>) =>
        this.cancellable(id, work),
    };
    return this.turn.run(crashed.id, () => afterCrash(crash, crashed));
  }

  #stopIdle(running: Running): Promise<void> {
    const stop = (record: BrowserRecord) => halt(this.parts, record, running, 'it was idle');
    return this.turn.run(running.id, () => whileReady(this.parts, running, stop));
  }

  async #reconcile(): Promise<void> {
    // Of several nodes one does it for all.
    if (this.parts.alone) await this.parts.saved.releaseDead();
    await reconcile({
      parts: this.parts,
      turn: this.turn,
      expiries: this.expiries,
      isUnderWay: (id) => this.tickets.has(id) || this.#adoptions.has(id),
      settleAll: (records, why) => this.#settleAll(records, why),
    });
  }

  async #settleAll(records: readonly Pick<BrowserRecord, 'id'>[], why: string): Promise<void> {
    await eachOf(records, startsAtOnce, async ({ id }) => {
      const finish = async () => {
        const record = await this.parts.store.browsers.get(id);
        if (record && !this.#draining)
          await this.cancellable(id, (signal) => settle(this.parts, record, why, signal));
      };
      await this.turn
        .run(id, finish)
        .catch((error) => this.parts.log.error({ err: error, browserId: id }, 'browser.settle_failed'));
    });
  }

  /** Work that no caller awaits, only the shutdown. Its failure is in the record and the log already. */
  #inBackground(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) => {
        if (!(error instanceof ApiError)) this.parts.log.error({ err: error }, 'background.failed');
      })
      .finally(() => this.#work.delete(tracked));
    this.#work.add(tracked);
  }
}

export const shuttingDown = (): ApiError =>
  new ApiError('SERVICE_SHUTTING_DOWN', 'The service is shutting down. Retry when it is back.', {
    headers: { 'retry-after': '5' },
  });
