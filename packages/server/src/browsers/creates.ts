/**
 * How a browser comes to be: its record goes into the store, and then it is brought up here, where there is a slot, or waits
 * in the line of all nodes until one has room for it.
 */
import type { Ceiling } from '../egress/egress.ts';
import { ApiError } from '../errors.ts';
import { extensionGone } from '../extensions/extensions.ts';
import { inUse, type ProfileRecord, profileGone } from '../profiles/profiles.ts';
import type { BrowserRecord } from '../store/records.ts';
import { type FilterLists, refuseFiles } from './interception/interception.ts';
import { end, type Keeper, type KeeperParts, shuttingDown, WaitingLine } from './life/life.ts';
import { refOf, useOf, writes } from './profile/profile.ts';
import {
  eventOf,
  type NewRecordParts,
  newRecord,
  refuseAboveCeiling,
  settingsIn,
  type Ticket,
  ticketFor,
  type WithIdentities,
  withIdentities,
} from './record/record.ts';
import type { CreateBrowser } from './record/schema.ts';

export interface CreateOptions {
  respondAsync: boolean;
  waitMs?: number;
  /** Absent when a part of the service asks, which does not ask twice. */
  idempotencyKey?: string;
  /** The browser that an earlier attempt of this very request made before the service was killed. */
  madeBefore?: string;
}

export interface CreatesParts extends KeeperParts, NewRecordParts {
  ceiling: Ceiling;
  lists: FilterLists;
  /** Nodes that take browsers, this one included. */
  countNodes(): number;
}

type Made =
  | { record: BrowserRecord; ready: Promise<BrowserRecord> }
  /** Another browser saves into the profile that this one asked for. */
  | { heldBy: string; profile: ProfileRecord };

/** A browser of another node lets its profile go unheard. */
const lookAgainMs = 500;

export class Creates {
  readonly #parts: CreatesParts;
  readonly #keeper: Keeper;
  readonly #waits = new AbortController();
  /** Absent on a machine that is alone: creates wait for its own slots then. */
  readonly line: WaitingLine | undefined;

  constructor(parts: CreatesParts, keeper: Keeper) {
    this.#parts = parts;
    this.#keeper = keeper;
    const withdraw = (record: BrowserRecord, why: ApiError) => this.#withdraw(record, why);
    this.line = parts.alone ? undefined : new WaitingLine({ ...parts, withdraw });
  }

  /** Callers that wait in the line of all nodes are sent to another node, which finds their records where they are. */
  endWaits(): void {
    this.#waits.abort(shuttingDown());
  }

  async create(projectId: string, asked: CreateBrowser, options: CreateOptions): Promise<BrowserRecord> {
    this.#keeper.refuseWhileDraining();
    const input = await withIdentities(asked);
    refuseFiles(input.policy);
    this.#parts.lists.refuseUnknown(input.policy);
    if (input.recording) await this.#parts.recordings.check();
    const until = performance.now() + (options.waitMs ?? 0);
    for (;;) {
      this.#keeper.refuseWhileDraining();
      const waitMs = options.waitMs === undefined ? undefined : Math.max(until - performance.now(), 1);
      const made = await this.#make(projectId, input, { ...options, waitMs });
      if (!('heldBy' in made)) return options.respondAsync ? made.record : await made.ready;
      const left = until - performance.now();
      if (left <= 0) throw inUse(made.profile, made.heldBy);
      await this.#parts.saved.freed(made.profile.id, Math.min(left, lookAgainMs));
    }
  }

  /** The effect of the request is there already; what is left is to answer with it. */
  async madeBefore(record: BrowserRecord, { respondAsync, waitMs }: CreateOptions): Promise<BrowserRecord> {
    const { line } = this;
    if (line && waitMs !== undefined) await this.#waitOn(record, waitMs);
    if (line && respondAsync) return record;
    if (line) return line.outcome(record, { waitMs, signal: this.#waits.signal });
    const { id } = record;
    const now = await this.#keeper.turn.run(id, () => this.#parts.store.browsers.get(id));
    if (now?.status === 'failed')
      throw new ApiError('BROWSER_START_FAILED', now.statusReason ?? 'Chromium could not be started.');
    return now ?? record;
  }

  /** One that is in line waits for as long as its caller has asked for last. */
  async #waitOn({ id }: BrowserRecord, waitMs: number): Promise<void> {
    const inLine = { status: 'creating', holder: null };
    await this.#parts.store.browsers.change(id, inLine, { queuedUntil: Date.now() + Math.ceil(waitMs) });
  }

  /** Its time in line is over, and the node that would have told its caller is lost. One that was claimed is left alone. */
  async leaveLine(id: string): Promise<void> {
    const record = await this.#parts.store.browsers.get(id);
    if (record?.status !== 'creating' || record.holder !== null) return;
    await this.#withdraw(record, this.#parts.capacity.exhausted(record.projectId));
  }

  async #make(
    projectId: string,
    input: WithIdentities<CreateBrowser>,
    { idempotencyKey: key, waitMs }: CreateOptions,
  ): Promise<Made> {
    const { saved, extensions, ceiling, capacity } = this.#parts;
    const profile = input.profile && (await saved.find(projectId, refOf(input.profile)));
    if (input.extensions?.length) await extensions.find(projectId, input.extensions);
    const record = newRecord(projectId, input, this.#parts, profile && useOf(profile, input.profile));
    await refuseAboveCeiling(settingsIn(record).policy, ceiling, projectId);
    const cancel = new AbortController();
    using undo = new DisposableStack();
    const ticket = await this.#admit(projectId, waitMs, cancel.signal);
    if (ticket) undo.use(ticket);
    // A ticket that is given back is no failure of its own.
    ticket?.slot.catch(() => undefined);
    const insert = (made: BrowserRecord, queue?: object) =>
      this.#insert(made, { key, extensions: input.extensions, queue });
    const queue = ticket?.queued ? ticket.position() : undefined;
    let outcome = ticket ? await insert(record, queue) : 'noRoom';
    if (outcome === 'inserted' && ticket) {
      // From here on the ticket is the keeper's.
      undo.move();
      return { record, ready: this.#keeper.begin(record, ticket, cancel) };
    }
    if (outcome === 'noRoom' && this.line && waitMs) {
      const queuedAt = Date.now();
      const queuedUntil = queuedAt + Math.ceil(waitMs);
      const waiting = { ...record, holder: null, nodeId: null, queuedAt, queuedUntil };
      outcome = await insert(waiting);
      if (outcome === 'inserted') return { record: waiting, ready: this.#inLine(waiting, waitMs) };
    }
    if (outcome === 'notUp') throw takesNoMore();
    if (profile && outcome === 'profileGone') throw profileGone(profile.id);
    if (typeof outcome === 'object' && 'missing' in outcome) throw extensionGone(outcome.missing);
    if (profile && typeof outcome === 'object') return { heldBy: outcome.heldBy, profile };
    throw capacity.exhausted(projectId, ticket !== undefined);
  }

  /** A slot of this node, or a place in its queue; undefined: none, and the line of all nodes is there for those that wait. */
  async #admit(
    projectId: string,
    waitMs: number | undefined,
    signal: AbortSignal,
  ): Promise<Ticket | undefined> {
    const { capacity } = this.#parts;
    const { line } = this;
    if (!line) return capacity.admit(projectId, { waitMs, signal });
    const isOpen = !this.#keeper.takesNoMore && !(await line.isAhead());
    const slot = isOpen ? capacity.take(projectId) : undefined;
    if (slot) return ticketFor(slot);
    if (waitMs) return undefined;
    throw this.#keeper.takesNoMore ? takesNoMore() : capacity.exhausted(projectId);
  }

  #insert(record: BrowserRecord, given: { key?: string; extensions?: readonly string[]; queue?: object }) {
    const { store, bootId, alone, capacity } = this.#parts;
    const { key, extensions, queue } = given;
    const created = eventOf(record, 'browser.created', queue && { queue });
    const once = key === undefined ? undefined : { key, bootId };
    return store.browsers.insert(record, [created], once, {
      writes: writes(record)?.id,
      extensions,
      alone,
      ...(!alone && { mostOfProject: capacity.mostOfProject, line: this.line?.limits() }),
    });
  }

  /** Goes on when the caller does not wait for it. */
  #inLine(record: BrowserRecord, waitMs: number): Promise<BrowserRecord> {
    const outcome = this.line?.outcome(record, { waitMs, signal: this.#waits.signal });
    const ready = outcome ?? Promise.resolve(record);
    ready.catch(() => undefined);
    return ready;
  }

  /** By its epoch: one that was claimed meanwhile is left to the node that has it, which may be this one. */
  async #withdraw(record: BrowserRecord, why: ApiError): Promise<boolean> {
    try {
      const reason = `no room in time: ${why.message}`;
      await this.#keeper.turn.run(record.id, () => end(this.#keeper.parts, record, reason));
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'BROWSER_NOT_READY') return false;
      throw error;
    }
  }
}

/** It is being stopped, or was declared gone. */
const takesNoMore = (): ApiError =>
  new ApiError('SERVICE_SHUTTING_DOWN', 'This node takes no new browsers. Retry: another one may.', {
    headers: { 'retry-after': '1' },
  });
