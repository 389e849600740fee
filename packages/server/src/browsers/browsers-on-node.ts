/**
 * What callers ask of browsers. Every method answers for one project and knows no other; the browsers themselves are
 * kept by the keeper (life/keeper.ts).
 */
import { ApiError } from '../errors.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import type { ListPage } from '../kit/page-of-list.ts';
import type { BrowserRecord } from '../store/records.ts';
import {
  concernedElsewhere,
  concernedHere,
  countBrowsers,
  type HandoffState,
  type Handoffs,
  handoffTold,
  type ListQuery,
  listBrowsers,
} from './browsers-list.ts';
import { type CreateOptions, Creates, type CreatesParts } from './creates.ts';
import {
  bringBack,
  closedView,
  ElsewhereError,
  halt,
  isOver,
  Keeper,
  movedOn,
  notReady,
} from './life/life.ts';
import {
  type OwnerDialogs,
  type OwnerNetwork,
  type OwnerNetworkParts,
  type OwnerPermissions,
  type OwnerState,
  ownerDialogs,
  ownerNetwork,
  ownerState,
  PermissionKeeper,
} from './owner/owner.ts';
import { Patches } from './patches.ts';
import { changeStatus, isElsewhere, viewOf } from './record/record.ts';
import type {
  Browser,
  BrowserCounts,
  ClosedBrowser,
  CreateBrowser,
  PatchBrowser,
  StatusSnapshot,
} from './record/schema.ts';
import { liveSnapshot, type Running, type SavedState, savedSnapshot } from './running/running.ts';

export interface Browsers {
  create(projectId: string, input: CreateBrowser, options: CreateOptions): Promise<Browser>;
  list(projectId: string, query: ListQuery): Promise<ListPage<Browser>>;
  count(projectId: string): Promise<BrowserCounts>;
  get(projectId: string, id: string): Promise<Browser>;
  patch(projectId: string, id: string, patch: PatchBrowser): Promise<Browser>;
  status(projectId: string, id: string): Promise<StatusSnapshot>;
  stop(projectId: string, id: string): Promise<Browser>;
  /** `waitMs`: in line for a slot. */
  resume(projectId: string, id: string, waitMs?: number): Promise<Browser>;
  close(projectId: string, id: string): Promise<ClosedBrowser>;
}

export interface BrowsersParts extends Omit<CreatesParts, 'onPermissions' | 'handoffOf' | 'settingsTurn'> {
  masks: OwnerNetworkParts['masks'];
}

export class BrowsersOnNode implements Browsers {
  readonly #parts: BrowsersParts;
  readonly #keeper: Keeper;
  readonly #creates: Creates;
  readonly #patches: Patches;
  #handoffs: Handoffs = { of: () => undefined };
  readonly dialogs: OwnerDialogs;
  readonly network: OwnerNetwork;
  readonly permissions: OwnerPermissions;
  readonly state: OwnerState;

  constructor(parts: BrowsersParts) {
    this.#parts = parts;
    const ways = {
      store: parts.store,
      find: (projectId: string, id: string) => this.#find(projectId, id),
      use: (projectId: string, id: string) => this.use(projectId, id),
      running: (id: string) => this.#keeper.running.get(id),
    };
    const settingsTurn = new KeyedMutex();
    const permissions = new PermissionKeeper({ ...ways, turn: settingsTurn });
    this.permissions = permissions;
    this.dialogs = ownerDialogs(ways);
    this.network = ownerNetwork({ ...ways, ...parts });
    this.#keeper = new Keeper({
      ...parts,
      settingsTurn,
      handoffOf: (running) => this.#handoffs.of(running),
      onPermissions: (running, change) => permissions.note(running, change),
    });
    this.#patches = new Patches({ ...parts, keeper: this.#keeper, find: ways.find, turn: settingsTurn });
    this.#creates = new Creates({ ...parts, ...this.#keeper.parts }, this.#keeper);
    this.state = ownerState({
      ...ways,
      profiles: parts.profiles,
      vault: parts.vault,
      turn: this.#keeper.turn,
    });
  }

  /** Said by the room of the views, which is opened later. */
  followHandoffs(handoffs: Handoffs): void {
    this.#handoffs = handoffs;
  }

  start(): Promise<void> {
    return this.#keeper.start();
  }

  /** Its time is over, and no node holds it. One that went on meanwhile is left alone. */
  closeOverdue(id: string): Promise<void> {
    return this.#keeper.expire(id);
  }

  /** It has waited for room for as long as it would, and the node that took it is lost. */
  leaveLine(id: string): Promise<void> {
    return this.#creates.leaveLine(id);
  }

  /** This boot may not act any more. */
  abandon(): Promise<void> {
    return this.#keeper.abandon();
  }

  shutdown(): Promise<void> {
    return this.#keeper.shutdown();
  }

  /** For browsers and guests on this node; one that is being drained counts as full. */
  room(): { used: number; max: number } {
    const { used, max } = this.#parts.capacity.usage();
    return { used: this.#keeper.takesNoMore ? Math.max(used, max) : used, max };
  }

  /** Callers that wait in the line of all nodes are sent to another node. */
  endWaits(): void {
    this.#creates.endWaits();
  }

  /** Browsers go to other nodes. */
  handOverAll(going: Parameters<Keeper['handOverAll']>[0]): Promise<void> {
    return this.#keeper.handOverAll(going);
  }

  async create(projectId: string, asked: CreateBrowser, options: CreateOptions): Promise<Browser> {
    const { madeBefore } = options;
    const record = madeBefore
      ? await this.#creates.madeBefore(await this.#find(projectId, madeBefore), options)
      : await this.#creates.create(projectId, asked, options);
    return this.#inLine(this.#view(record));
  }

  async list(projectId: string, query: ListQuery): Promise<ListPage<Browser>> {
    const { store } = this.#parts;
    const { line } = this.#creates;
    const here = [...this.#keeper.running.values()].filter((running) => running.projectId === projectId);
    const concerned = async (states: readonly HandoffState[]) => [
      ...concernedHere(here, this.#handoffs, states),
      ...(line ? await concernedElsewhere(store.browsers, projectId, this.#parts.bootId, states) : []),
    ];
    const page = await listBrowsers(store.browsers, concerned, projectId, query, (record) =>
      this.#view(record),
    );
    return line ? { ...page, items: await line.withPositions(page.items) } : page;
  }

  count(projectId: string): Promise<BrowserCounts> {
    return countBrowsers(this.#parts.store.browsers, projectId);
  }

  async get(projectId: string, id: string): Promise<Browser> {
    return this.#inLine(this.#view(await this.#find(projectId, id)));
  }

  /** With its position, where it waits. */
  async #inLine(browser: Browser): Promise<Browser> {
    if (browser.status !== 'creating') return browser;
    const [shown] = (await this.#creates.line?.withPositions([browser])) ?? [];
    return shown ?? browser;
  }

  /** Whether its Chromium is this node's, by the latest that the node knows. */
  runsHere(id: string): boolean {
    return this.#keeper.running.get(id) !== undefined;
  }

  /** The living half of a browser that is ready, for work on its pages. */
  async use(projectId: string, id: string): Promise<Running> {
    const record = await this.#find(projectId, id);
    const running = this.#keeper.running.get(id);
    if (record.status !== 'ready') throw notReady(record);
    // Its Chromium has just ended, and the record is about to say so; or the record is already about another one.
    if (running?.epoch !== record.epoch) throw notReady({ ...record, status: 'recovering' });
    await running.live.tabs.settled;
    return running;
  }

  async status(projectId: string, id: string): Promise<StatusSnapshot> {
    const record = await this.#find(projectId, id);
    if (isOver(record)) throw notReady(record);
    const running = this.#keeper.running.get(id);
    if (running?.epoch === record.epoch && record.status === 'ready') {
      try {
        return await liveSnapshot(record, running.live, running.lastActionAt);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'BROWSER_CRASHED') throw error;
      }
    }
    const saved = await this.#parts.store.checkpoints.get(id);
    return savedSnapshot(await this.#find(projectId, id), saved?.data as SavedState | undefined);
  }

  /** Whether it is recorded is changed by way of its recordings. */
  async patch(
    projectId: string,
    id: string,
    patch: PatchBrowser & { recording?: boolean },
  ): Promise<Browser> {
    return this.#view(await this.#patches.patch(projectId, id, patch));
  }

  /** Before a secret is typed: from now on, and after a restart too, no CDP client is let in unless its owner wanted so. */
  noteSecret(running: Running): Promise<void> {
    return this.#patches.noteSecret(running);
  }

  async stop(projectId: string, id: string): Promise<Browser> {
    const first = await this.#find(projectId, id);
    if (!['ready', 'stopping', 'stopped'].includes(first.status)) throw notReady(first);
    return this.#keeper.turn.run(id, async () => {
      const record = await this.#find(projectId, id);
      if (record.status === 'stopped') return this.#view(record);
      if (isElsewhere(record, this.#parts)) throw new ElsewhereError(record);
      const running = this.#keeper.running.get(id);
      if (record.status !== 'ready' || running?.epoch !== record.epoch) throw notReady(record);
      return this.#view(await halt(this.#keeper.parts, record, running, null));
    });
  }

  async resume(projectId: string, id: string, waitMs?: number): Promise<Browser> {
    this.#keeper.refuseWhileDraining();
    const first = await this.#find(projectId, id);
    if (!['stopped', 'resuming', 'ready'].includes(first.status)) throw notReady(first);
    return this.#keeper.turn.run(id, async () => {
      const record = await this.#find(projectId, id);
      if (isElsewhere(record, this.#parts)) throw new ElsewhereError(record);
      if (record.status === 'ready') return this.#view(record);
      if (record.status !== 'stopped') throw notReady(record);
      const { store, capacity, vault } = this.#parts;
      if (vault) await this.#keeper.cancellable(id, (signal) => vault.untilWhole(record, signal));
      // One that waits can be closed.
      const admitted = (signal: AbortSignal) => capacity.admit(projectId, { waitMs, signal }).slot;
      using slot = await this.#keeper.cancellable(id, admitted);
      const again = { epoch: record.epoch + 1 };
      const room = { mostOfProject: this.#parts.alone ? undefined : capacity.mostOfProject };
      const resuming = await changeStatus(store, record, 'resuming', again, {}, this.#parts, room);
      if (!resuming) throw await this.#notResumed(record);
      const back = (signal: AbortSignal) => bringBack(this.#keeper.parts, resuming, slot.move(), signal);
      return this.#view(await this.#keeper.cancellable(id, back));
    });
  }

  async #notResumed(record: BrowserRecord): Promise<ApiError> {
    const { projectId, id, epoch } = record;
    const now = await this.#find(projectId, id);
    if (now.status === 'stopped' && now.epoch === epoch)
      return this.#parts.capacity.exhausted(projectId, true);
    return movedOn(now, this.#parts);
  }

  async close(projectId: string, id: string): Promise<ClosedBrowser> {
    const record = await this.#find(projectId, id);
    return record.status === 'closed' ? closedView(record) : this.#keeper.end(id, null);
  }

  #view(record: BrowserRecord): Browser {
    const running = this.#keeper.running.get(record.id);
    if (running?.epoch === record.epoch && record.status === 'ready')
      return viewOf(record, {
        tabs: running.live.tabs.list().length,
        lastActionAt: running.lastActionAt,
        handoff: this.#handoffs.of(running),
        traffic: running.live.egress.stats(),
        ruleHits: running.live.interception.hits(),
        consent: running.live.consent.counts(),
      });
    const queue = this.#keeper.tickets.get(record.id)?.position();
    return viewOf(record, { handoff: handoffTold(record), ...(queue && queue.position > 0 && { queue }) });
  }

  async #find(projectId: string, id: string): Promise<BrowserRecord> {
    const record = await this.#parts.store.browsers.get(id, projectId);
    if (record) return record;
    throw new ApiError(
      'BROWSER_NOT_FOUND',
      `There is no browser ${id.slice(0, 64)} in this project. List them: GET /v1/browsers.`,
    );
  }
}
