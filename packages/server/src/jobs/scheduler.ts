/**
 * Works on the jobs of the database, together with the other nodes that do:
 *
 *   look: jobs that are not over ──> whose turn is it? ──> a spare slot? ──> claim a page ──> its work, aside ──> next
 *    ^ once a second, and when                                │ none: until a slot is given back
 *      something has changed here                             v
 *
 * Nothing of a job is here that is not in its rows, except who was served last and what rests until when. A page is claimed
 * under the boot of the service: what a dead boot had claimed goes back in line.
 */
import type { Capacity, Slot } from '../browsers/browsers.ts';
import type { Log } from '../kit/log.ts';
import type { Turn } from '../kit/turn.ts';
import type { ClaimedPage, Store, TellOfJob } from '../store/records.ts';
import { type JobQuick, toolsFor } from './acting.ts';
import type { JobInWork, JobKind } from './kind.ts';
import { type PageEnd, type PageWork, pageOf } from './page-work.ts';
import type { CreateJob, JobAction } from './schema.ts';
import type { Seeding } from './seeding.ts';
import { type ActiveJob, Turns } from './turns.ts';

export interface SchedulerParts {
  store: Store;
  quick: JobQuick;
  capacity: Pick<Capacity, 'takeSpare' | 'onFreed' | 'exhausted'>;
  /** Slots that pages of jobs leave free. */
  reserve: number;
  work: PageWork;
  seeding: Seeding;
  kinds: Record<CreateJob['kind'], JobKind>;
  tell: TellOfJob;
  log: Log;
  bootId: string;
  /** It has the database for itself: whatever another boot has claimed, that one is gone. */
  alone: boolean;
  turn: Turn;
  /** Something of the job has changed, and who follows it should look. */
  changed(jobId: string): void;
  onPage?(outcome: string): void;
}

const lookEveryMs = 1000;
const reclaimEveryMs = 10_000;
const jobsOfEachProject = 20;

const placeOf = ({ jobId, idx }: Pick<ClaimedPage, 'jobId' | 'idx'>): string => `${jobId} ${idx}`;

interface Loaded {
  job: JobInWork;
  retries: number;
}

export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #turns: Turns;
  readonly #under = new Set<Promise<void>>();
  readonly #atWork = new Set<string>();
  readonly #aborts = new Map<string, AbortController>();
  readonly #loaded = new Map<string, Promise<Loaded | undefined>>();
  readonly #closing = new AbortController();
  #off: (() => void) | undefined;
  #round: Promise<void> | undefined;
  #lookAgain = false;
  #pumpAgain = false;
  #reclaimAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#turns = new Turns((name) => parts.turn.isMine(name));
  }

  start(): void {
    const look = setInterval(() => this.look(), lookEveryMs).unref();
    const unhear = this.#parts.capacity.onFreed(() => this.#pump());
    this.#off = () => {
      clearInterval(look);
      unhear();
    };
    this.look();
  }

  /** A job was made, or may be over. */
  look(): void {
    this.#lookAgain = true;
    this.#pump();
  }

  /** Pages at work on this node. */
  running(): number {
    return this.#atWork.size;
  }

  /** It was cancelled or deleted: its pages stop. */
  forget(jobId: string): void {
    const isAtWork = (this.#turns.get(jobId)?.running ?? 0) > 0;
    this.#turns.remove(jobId);
    this.#aborts.get(jobId)?.abort(new Error('The job is over.'));
    if (!isAtWork) this.#letGo(jobId);
    this.#parts.changed(jobId);
  }

  /** Pages at work go back in line; the next start, or another node, takes them up again. */
  async close(): Promise<void> {
    this.#off?.();
    clearTimeout(this.#timer);
    this.#closing.abort(new Error('The service ends.'));
    await this.#round;
    await Promise.all(this.#under);
  }

  #pump(): void {
    this.#pumpAgain = true;
    if (this.#closing.signal.aborted) return;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
  }

  async #rounds(): Promise<void> {
    const { log } = this.#parts;
    try {
      while (this.#pumpAgain && !this.#closing.signal.aborted) {
        this.#pumpAgain = false;
        if (this.#lookAgain) await this.#look();
        await this.#begin();
      }
    } catch (error) {
      // A database that is away: the next look tries again.
      log.warn({ err: error }, 'jobs.round_failed');
    }
  }

  async #look(): Promise<void> {
    const { store, log, bootId, alone } = this.#parts;
    this.#lookAgain = false;
    const now = Date.now();
    if (now >= this.#reclaimAt) {
      const back = (await store.jobs.reclaim({ bootId, alone })) + (await this.#putBackLeft());
      this.#reclaimAt = now + reclaimEveryMs;
      if (back > 0) log.info({ pages: back }, 'jobs.reclaimed');
    }
    const found = await store.jobs.active(jobsOfEachProject);
    const over = this.#turns.replace(found.map((job) => ({ ...job, seeded: job.seeded === 1 })));
    for (const id of over) this.forget(id);
    for (const job of this.#turns.unseeded()) this.#seed(job);
  }

  /** Claims of this boot that it does not know of: the database made them, and its answer was lost. */
  async #putBackLeft(): Promise<number> {
    const { store, bootId } = this.#parts;
    const left = (await store.jobs.claimedBy(bootId)).filter((page) => !this.#atWork.has(placeOf(page)));
    for (const page of left)
      await store.jobs.putBack(page, { bootId }, { attempts: page.attempts - 1, notBefore: 0 });
    return left.length;
  }

  /** Claims pages while there are slots to spare. */
  async #begin(): Promise<void> {
    const { store, capacity, reserve, bootId, tell } = this.#parts;
    const full = new Set<string>();
    while (!this.#closing.signal.aborted) {
      const job = this.#turns.next(Date.now(), full);
      if (!job) break;
      using slot = capacity.takeSpare(job.projectId, reserve);
      if (!slot) {
        full.add(job.projectId);
        continue;
      }
      const claimed = await store.jobs.claim(job.id, { bootId, now: Date.now() }, tell);
      if (claimed === 'over') this.forget(job.id);
      else if ('dueAt' in claimed) job.restUntil = claimed.dueAt ?? Number.POSITIVE_INFINITY;
      else {
        this.#turns.serve(job);
        this.#take(job, claimed.page, slot.move());
      }
    }
    this.#wakeLater();
  }

  #wakeLater(): void {
    clearTimeout(this.#timer);
    const due = this.#turns.nextDue();
    if (due === undefined) return;
    // Without a slot it is the one that gives it back who wakes us; the look is for what other nodes do.
    const wait = Math.max(due - Date.now(), 0);
    if (wait > 0) this.#timer = setTimeout(() => this.#pump(), wait).unref();
  }

  #take(job: ActiveJob, page: ClaimedPage, slot: Slot): void {
    const place = placeOf(page);
    job.running++;
    this.#atWork.add(place);
    const work = this.#run(job, page, slot)
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error, jobId: job.id, page: page.idx }, 'job.page_left');
      })
      .finally(() => {
        job.running--;
        this.#atWork.delete(place);
        if (job.running === 0) this.#letGo(job.id);
        this.#under.delete(work);
        this.#parts.changed(job.id);
        this.#pump();
      });
    this.#under.add(work);
  }

  #letGo(jobId: string): void {
    this.#loaded.delete(jobId);
    if (this.#turns.get(jobId)) return;
    this.#aborts.delete(jobId);
    for (const kind of Object.values(this.#parts.kinds)) kind.over?.(jobId);
  }

  async #run(job: ActiveJob, page: ClaimedPage, slot: Slot): Promise<void> {
    const { capacity, reserve, quick, kinds, work } = this.#parts;
    using held = new DisposableStack();
    held.use(slot);
    const loaded = await this.#load(job.id);
    if (!loaded) return;
    let first: Slot | undefined = slot;
    const admit = (): Slot => {
      const taken = first?.move() ?? capacity.takeSpare(job.projectId, reserve);
      first = undefined;
      if (!taken) throw capacity.exhausted(job.projectId);
      return taken;
    };
    const signal = this.#signalOf(job.id);
    const kind = kinds[loaded.job.request.kind];
    const tools = toolsFor(loaded.job, pageOf(page), { quick, signal, admit, goesOn: kind.goesOn });
    const end = await work.run({ ...loaded, page, kind, tools });
    await this.#ended(job, end);
  }

  async #ended(job: ActiveJob, end: PageEnd): Promise<void> {
    const { store, tell, log, onPage } = this.#parts;
    job.restUntil = end.what === 'back' && end.restMs !== undefined ? Date.now() + end.restMs : 0;
    if (end.what === 'settled') onPage?.(end.status);
    if (end.what !== 'full') return;
    onPage?.('failed');
    const { code, message } = end.error;
    log.warn({ jobId: job.id, code }, 'job.failed');
    await store.jobs.end(job.id, 'failed', { error: { code, message }, now: Date.now(), tell });
    this.forget(job.id);
  }

  #seed(job: ActiveJob): void {
    const { seeding } = this.#parts;
    if (seeding.isAt(job.id)) return;
    const signal = this.#signalOf(job.id);
    const work = this.#load(job.id)
      .then((loaded) => loaded && seeding.run(loaded.job, signal, () => this.#found(job)))
      .catch((error: unknown) => this.#parts.log.warn({ err: error, jobId: job.id }, 'job.seeding_failed'))
      .finally(() => {
        this.#under.delete(work);
        this.#found(job);
      });
    this.#under.add(work);
  }

  #found(job: ActiveJob): void {
    job.restUntil = 0;
    this.#parts.changed(job.id);
    this.#pump();
  }

  /** Aborts when the job is over, or the service ends. */
  #signalOf(jobId: string): AbortSignal {
    const known = this.#aborts.get(jobId) ?? new AbortController();
    this.#aborts.set(jobId, known);
    return AbortSignal.any([known.signal, this.#closing.signal]);
  }

  /** Read once while pages of it are at work. */
  #load(jobId: string): Promise<Loaded | undefined> {
    const known = this.#loaded.get(jobId);
    if (known) return known;
    const loading = this.#parts.store.jobs.load(jobId).then((record) => {
      if (!record) return undefined;
      const { id, projectId, request, action, retries } = record;
      const job = { id, projectId, request: request as CreateJob, action: action as JobAction | null };
      return { job, retries };
    });
    this.#loaded.set(jobId, loading);
    loading.catch(() => this.#loaded.delete(jobId));
    return loading;
  }
}
