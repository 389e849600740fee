/**
 * One request, one effect, however often it is sent.
 *
 *   claim the key ── mine ──────────> work ──> complete (kept 24 h) or release (5xx, 429: a retry tries again)
 *        │
 *        ├─ no room for its answer ─> refused, before anything is done; but what deletes is done, as if without a key
 *        ├─ answered before ────────> the same answer again
 *        ├─ running here ───────────> wait for it, share its outcome
 *        ├─ running on another node > look again until it is answered
 *        └─ left behind by a crash ─> take it over; the work learns what the crashed attempt had made
 */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import type { Log } from '../kit/log.ts';
import { KeyedMutex } from '../kit/mutex.ts';
import type { IdempotencyRecord, Store } from '../store/records.ts';
import { canonicalJson } from './canonical-json.ts';

export interface Answer {
  statusCode: number;
  body: unknown;
}

export interface OnceAnswer extends Answer {
  replayed: boolean;
}

export interface IdempotentRequest {
  method: string;
  path: string;
  body: unknown;
}

export type Work = (madeBefore?: string) => Promise<Answer>;

interface Claim {
  projectId: string;
  key: string;
  fingerprint: string;
  method: string;
}

interface Running {
  fingerprint: string;
  answer: Promise<Answer>;
}

/** Whether an answer of this status is final, so that the same request gets it again. */
export const isKept = (statusCode: number): boolean => statusCode < 500 && statusCode !== 429;

const fingerprintOf = ({ method, path, body }: IdempotentRequest): string =>
  createHash('sha256')
    .update(canonicalJson([method, path, body ?? null]))
    .digest('hex');

const requireSame = (known: { fingerprint: string }, claim: Claim): void => {
  if (known.fingerprint !== claim.fingerprint)
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'This `Idempotency-Key` was sent before with another method, path or body. Send a new key for a new request.',
    );
};

export class Idempotency {
  readonly #store: Store;
  readonly #bootId: string;
  readonly #mostBytes: number;
  readonly #log: Log | undefined;
  readonly #lookEvery: number;
  readonly #lookFor: number;
  readonly #turns = new KeyedMutex();
  readonly #running = new Map<string, Running>();

  constructor(parts: {
    store: Store;
    bootId: string;
    /** That the answers which are kept for a project may have together. */
    mostBytes: number;
    log?: Log;
    /** How often and how long to look for an answer that another node is working on. */
    lookEveryMs?: number;
    lookForMs?: number;
  }) {
    this.#store = parts.store;
    this.#bootId = parts.bootId;
    this.#mostBytes = parts.mostBytes;
    this.#log = parts.log;
    this.#lookEvery = parts.lookEveryMs ?? 200;
    this.#lookFor = parts.lookForMs ?? 60_000;
  }

  /** The work goes on when its caller goes away: a repetition of the request finds its outcome. */
  async once(projectId: string, key: string, request: IdempotentRequest, work: Work): Promise<OnceAnswer> {
    const claim = { projectId, key, fingerprint: fingerprintOf(request), method: request.method };
    const name = JSON.stringify([projectId, key]);
    const giveUpAt = Date.now() + this.#lookFor;
    for (;;) {
      const found = await this.#turns.run(name, () => this.#find(name, claim, work));
      if (found !== 'elsewhere') return { ...(await found.answer), replayed: found.replayed };
      if (Date.now() >= giveUpAt) throw stillRunning();
      await sleep(this.#lookEvery);
    }
  }

  /** Decides which call answers. Runs alone for its key, and ends before the work does. */
  async #find(
    name: string,
    claim: Claim,
    work: Work,
  ): Promise<'elsewhere' | { answer: Answer | Promise<Answer>; replayed: boolean }> {
    const running = this.#running.get(name);
    if (running !== undefined) {
      requireSame(running, claim);
      return { answer: running.answer, replayed: true };
    }
    const mine = { ...claim, bootId: this.#bootId, createdAt: Date.now() };
    const row = await this.#store.idempotency.claim(mine, this.#mostBytes);
    if (row === undefined) return { answer: this.#start(name, claim, work), replayed: false };
    if (row === 'full') {
      // A project must be able to clean up, and to revoke the key that filled it; a repetition finds nothing left to delete.
      if (claim.method !== 'DELETE') throw tooManyKept(this.#mostBytes);
      return { answer: this.#share(name, claim, work()), replayed: false };
    }
    requireSame(row, claim);
    if (row.statusCode !== null && row.body !== null)
      return { answer: { statusCode: row.statusCode, body: JSON.parse(row.body) }, replayed: true };
    if (!(await this.#isAbandoned(row))) return 'elsewhere';
    const { projectId, key } = claim;
    if (!(await this.#store.idempotency.takeOver(projectId, key, row.bootId, this.#bootId)))
      return 'elsewhere';
    return { answer: this.#start(name, claim, () => work(row.resourceId ?? undefined)), replayed: false };
  }

  /** Cut short by a stop, it may have made something: then the retry, on another node or after the restart, learns what. */
  async #releaseUnlessMade(
    { projectId, key }: Pick<Claim, 'projectId' | 'key'>,
    error: unknown,
  ): Promise<void> {
    const rows = this.#store.idempotency;
    if (isCutShort(error) && (await rows.get(projectId, key))?.resourceId) return;
    await rows.release(projectId, key, this.#bootId);
  }

  /**
   * True when no boot works on it any more: its boot was this one (and it is not in the list of running ones, so its
   * answer could not be stored), a boot that a later one of the same node replaced, or one that was declared gone. Clocks are
   * not compared: only the database says that a boot is over.
   */
  async #isAbandoned(row: IdempotencyRecord): Promise<boolean> {
    if (row.bootId === this.#bootId) return true;
    const node = (await this.#store.nodes.list()).find(({ bootId }) => bootId === row.bootId);
    return node === undefined || node.state === 'gone';
  }

  #start(name: string, claim: Claim, work: Work): Promise<Answer> {
    return this.#share(name, claim, this.#carryOut(claim, work));
  }

  /** With those who send the same request to this node meanwhile. */
  #share(name: string, { fingerprint }: Claim, carriedOut: Promise<Answer>): Promise<Answer> {
    const answer = carriedOut.finally(() => this.#running.delete(name));
    this.#running.set(name, { fingerprint, answer });
    return answer;
  }

  async #carryOut({ projectId, key }: Claim, work: Work): Promise<Answer> {
    const rows = this.#store.idempotency;
    const write = (change: Promise<void>): Promise<void> =>
      // The effect is done already: the caller gets its answer, and a retry takes the row over.
      change.catch((error: unknown) => this.#log?.error({ err: error }, 'idempotency.write_failed'));
    try {
      const answer = await work();
      if (isKept(answer.statusCode))
        await write(
          rows.complete(projectId, key, this.#bootId, {
            statusCode: answer.statusCode,
            body: JSON.stringify(answer.body),
          }),
        );
      else await write(rows.release(projectId, key, this.#bootId));
      return answer;
    } catch (error) {
      await write(this.#releaseUnlessMade({ projectId, key }, error));
      throw error;
    }
  }
}

/** The service stops; what was begun may be finished by another node, or after the restart. */
const isCutShort = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'SERVICE_SHUTTING_DOWN';

const tooManyKept = (mostBytes: number): ApiError =>
  new ApiError(
    'RATE_LIMITED',
    `The project has sent so many requests with an \`Idempotency-Key\` that the answers which are kept for their repetitions take all of the ${mostBytes} bytes they may (BROWSERD_IDEMPOTENCY_SIZE). Nothing was done. They go when BROWSERD_IDEMPOTENCY_RETENTION is over; ask the operator for more room, or for a shorter time.`,
    { headers: { 'retry-after': '600' }, details: { limitBytes: mostBytes } },
  );

const stillRunning = (): ApiError =>
  new ApiError(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this `Idempotency-Key` is still being answered. Send the same request again later.',
    { headers: { 'retry-after': '5' } },
  );
