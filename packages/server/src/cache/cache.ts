/**
 * The door to kept answers: what a page gave may be given again while its caller takes it for fresh. What is kept is sealed,
 * since pages that a profile has signed in to are among it, and found by a key that tells nothing of the request.
 *
 *   request ──> key (an HMAC) ──> its row ──> sealed bytes ──> the answer
 *
 * A cache is never in the way: whatever fails here, the answer is made anew.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { newId } from '../kit/id.ts';
import type { Log } from '../kit/log.ts';
import type { CachedAnswerRecord, Store } from '../store/records.ts';
import { canonical } from './canonical.ts';

export interface CacheParts {
  store: Pick<Store, 'cachedAnswers' | 'secrets'>;
  bytes: Pick<KeptBytes, 'place' | 'places' | 'takeIn' | 'open' | 'discard'>;
  sealing: { sealing(about: string): Transform; unsealing(about: string): Transform };
  log: Log;
  /** Of each project; 0: nothing is kept. */
  mostBytes: number;
  /** How long an answer stays that its site has not confirmed. */
  keepMs: number;
}

/** An answer: what is said about it, and its bytes. */
export interface Answer {
  about: Record<string, unknown>;
  content: Buffer;
}

export interface KeptAnswer extends Answer {
  id: string;
  madeAt: number;
  /** When its site last said that it is still the same, or when it was made. */
  checkedAt: number;
}

/** Larger ones are given, but not kept: each is in memory while it is read. */
export const mostAnswerBytes = 32 * 1024 ** 2;
const mostAboutBytes = 4 * 1024 ** 2;
const lengthBytes = 4;
const sweptAtOnce = 100;
const secretName = 'kept answers';

export class AnswerCache {
  readonly #parts: CacheParts;
  readonly #secret: Promise<string>;

  constructor(parts: CacheParts) {
    this.#parts = parts;
    this.#secret = parts.store.secrets.ensure(secretName, randomBytes(32).toString('base64'));
    // heard where it is awaited
    this.#secret.catch(() => undefined);
  }

  get isOn(): boolean {
    return this.#parts.mostBytes > 0;
  }

  /** Of everything that the answer depends on, whatever the order of its fields. */
  async keyOf(...parts: unknown[]): Promise<string> {
    const hmac = createHmac('sha256', await this.#secret);
    for (const piece of canonical(parts)) hmac.update(piece);
    return hmac.digest('hex');
  }

  async find(projectId: string, key: string): Promise<KeptAnswer | undefined> {
    const { store, bytes, log } = this.#parts;
    try {
      const row = await store.cachedAnswers.use({ projectId, nodeId: bytes.place, key }, Date.now());
      if (!row) return undefined;
      const { id, madeAt, checkedAt } = row;
      // Storage that is away fails here: it has the answer again later.
      const sealed = await bytes.open(id);
      const read = await this.#read(row, sealed).catch(async (error: unknown) => {
        log.warn({ err: error, answerId: id }, 'cache.read_failed');
        await this.drop(id);
        return undefined;
      });
      return read && { ...read, id, madeAt, checkedAt };
    } catch (error) {
      log.warn({ err: error }, 'cache.find_failed');
      return undefined;
    }
  }

  /** Whether it is there from now on. */
  async keep(
    projectId: string,
    key: string,
    answer: Answer,
    profileId: string | null = null,
  ): Promise<boolean> {
    const { store, bytes, log, mostBytes } = this.#parts;
    const limitBytes = Math.min(mostAnswerBytes, mostBytes);
    if (answer.content.length > limitBytes) return false;
    const id = newId('answer');
    const sealed = this.#parts.sealing.sealing(aboutOf(id));
    try {
      const [taken] = await Promise.all([
        // a seal is a little larger than what it holds
        bytes.takeIn(id, projectId, { body: sealed, limitBytes: limitBytes * 2, uncounted: true }),
        pipeline(Readable.from(framed(answer)), sealed),
      ]);
      const now = Date.now();
      const times = { madeAt: now, checkedAt: now, usedAt: now };
      const row = { id, projectId, nodeId: bytes.place, key, profileId, ...times, size: taken.size };
      const outcome = await store.cachedAnswers.insert(row, mostBytes);
      await this.#discard(outcome === 'taken' ? [id] : outcome.dropped);
      return outcome !== 'taken';
    } catch (error) {
      log.warn({ err: error }, 'cache.keep_failed');
      return false;
    } finally {
      sealed.destroy();
    }
  }

  /** Its site said just now that the page is still the same. */
  async confirm(id: string): Promise<void> {
    const { store, log } = this.#parts;
    await store.cachedAnswers
      .confirm(id, Date.now())
      .catch((error: unknown) => log.warn({ err: error }, 'cache.confirm_failed'));
  }

  async drop(id: string): Promise<void> {
    const { store, bytes } = this.#parts;
    await this.#discard(await store.cachedAnswers.remove(id, bytes.places));
  }

  /** What pages gave to a profile that is gone goes with it. */
  async dropOfProfile(profileId: string): Promise<void> {
    const { store, bytes, log } = this.#parts;
    try {
      await this.#discard(await store.cachedAnswers.removeOfProfile(profileId, bytes.places));
    } catch (error) {
      log.warn({ err: error, profileId }, 'cache.drop_failed');
    }
  }

  /** Removes those whose time is over; returns how many. */
  async sweep(): Promise<number> {
    const { store, bytes, keepMs } = this.#parts;
    let removed = 0;
    for (;;) {
      const before = Date.now() - keepMs;
      const ids = await store.cachedAnswers.removeUnchecked(bytes.places, before, sweptAtOnce);
      await this.#discard(ids);
      removed += ids.length;
      if (ids.length < sweptAtOnce) return removed;
    }
  }

  async #discard(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.#parts.bytes.discard(id);
  }

  async #read({ id }: CachedAnswerRecord, sealed: Readable | undefined): Promise<Answer> {
    const { sealing } = this.#parts;
    if (!sealed) throw new Error('The bytes of a kept answer are gone.');
    const pieces: Buffer[] = [];
    await pipeline(sealed, sealing.unsealing(aboutOf(id)), async (plain: AsyncIterable<Buffer>) => {
      for await (const piece of plain) pieces.push(piece);
    });
    return unframed(Buffer.concat(pieces));
  }
}

const aboutOf = (id: string): string => `kept answer ${id}`;

function* framed({ about, content }: Answer): Generator<Buffer> {
  const head = Buffer.from(JSON.stringify(about));
  if (head.length > mostAboutBytes) throw new Error('What is said about an answer is too long to be kept.');
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(head.length);
  yield Buffer.concat([length, head]);
  if (content.length > 0) yield content;
}

function unframed(bytes: Buffer): Answer {
  const end = lengthBytes + bytes.readUInt32BE();
  const about = JSON.parse(bytes.subarray(lengthBytes, end).toString()) as Answer['about'];
  return { about, content: bytes.subarray(end) };
}
