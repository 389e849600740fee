/**
 * An answer lies in memory from when it is made until its caller has read it, and callers read when they like. So those of a
 * project share some room. While it is full, the next call of the project waits, and is refused when nothing was read for long:
 *
 *   call ──room?──> handler ──> answer ──> sent as its caller reads ──> room for others
 *            └─no──> waits ──too long──> RATE_LIMITED
 *
 * Where an answer may be large, room for it is kept from before it is begun: of a hundred that begin at once, each would find
 * room. Streams whose bytes are made as they are read are left out; one that holds what it will give says so (`liesUnread`).
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { App } from '../wire/wire.ts';

const mebibyte = 1024 ** 2;
/** A large answer of 4 MiB is several times as much while it is made: as rows, as values and as text. */
const usual = { roomBytes: 64 * mebibyte, largeBytes: 16 * mebibyte, patienceMs: 5000 };

export type UnreadLimits = typeof usual;

/** Of a project. */
class Room {
  readonly #limits: UnreadLimits;
  #unread = 0;
  /** Kept for answers that are being made. */
  #kept = 0;
  readonly #waiting = new Set<{ bytes: number; enter(): void }>();

  constructor(limits: UnreadLimits) {
    this.#limits = limits;
  }

  get isIdle(): boolean {
    return this.#unread === 0 && this.#kept === 0 && this.#waiting.size === 0;
  }

  /** Keeps that much for an answer; false: there was no room for too long. */
  async enter(bytes: number): Promise<boolean> {
    if (this.#keep(bytes)) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const waiting = { bytes, enter: () => resolve(true) };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => {
      this.#waiting.delete(waiting);
      resolve(false);
    }, this.#limits.patienceMs);
    const entered = await promise;
    clearTimeout(timer);
    return entered;
  }

  /** An answer is there, or will not be: of what was kept for it, so much is used until it is read. */
  made(kept: number, bytes: number): void {
    this.#kept -= kept;
    this.#unread += bytes;
    this.#admit();
  }

  read(bytes: number): void {
    this.#unread -= bytes;
    this.#admit();
  }

  /** A call whose answer is small waits for those only that are unread. */
  #keep(bytes: number): boolean {
    const { roomBytes } = this.#limits;
    const isFull = bytes === 0 ? this.#unread >= roomBytes : this.#unread + this.#kept + bytes > roomBytes;
    if (!isFull) this.#kept += bytes;
    return !isFull;
  }

  #admit(): void {
    for (const waiting of this.#waiting)
      if (this.#keep(waiting.bytes)) {
        this.#waiting.delete(waiting);
        waiting.enter();
      }
  }
}

interface Held {
  bytes: number;
  more?(bytes: number): void;
}

const streams = new WeakMap<object, Held>();

/** So many bytes lie in the stream until its caller reads them. */
export function liesUnread(stream: object, bytes: number): void {
  const held = streams.get(stream) ?? { bytes: 0 };
  streams.set(stream, held);
  held.bytes += bytes;
  held.more?.(bytes);
}

export function limitUnreadAnswers(app: App, limits: UnreadLimits = usual): void {
  const rooms = new Map<string, Room>();
  const kept = new WeakMap<FastifyRequest, number>();
  const roomOf = ({ principal: { projectId } }: FastifyRequest): Room => {
    const room = rooms.get(projectId) ?? new Room(limits);
    rooms.set(projectId, room);
    return room;
  };
  const enter = async (request: FastifyRequest, bytes: number): Promise<void> => {
    // A HEAD may pass here twice: for its own route, and for that of the GET.
    if (kept.has(request)) return;
    if (!(await roomOf(request).enter(bytes))) throw full(limits.roomBytes);
    kept.set(request, bytes);
  };
  const made = (request: FastifyRequest, reply: FastifyReply, bytes: number): void => {
    const room = roomOf(request);
    const end = (): void => {
      room.read(bytes);
      if (room.isIdle) rooms.delete(request.principal.projectId);
    };
    room.made(kept.get(request) ?? 0, bytes);
    kept.delete(request);
    if (bytes > 0 && !reply.raw.destroyed) reply.raw.once('close', end);
    else end();
  };
  app.addHook('onRoute', (route) => {
    const { handler, config } = route;
    route.handler = async function (request, reply) {
      await enter(request, config?.large ? limits.largeBytes : 0);
      return handler.call(this, request, reply);
    };
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (!request.principal) return payload;
    made(request, reply, bytesOf(payload));
    if (!isStream(payload)) return payload;
    const held = streams.get(payload) ?? { bytes: 0 };
    streams.set(payload, held);
    held.more = (bytes) => made(request, reply, bytes);
    return payload;
  });
}

const isStream = (payload: unknown): payload is object =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;

function bytesOf(payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return isStream(payload) ? (streams.get(payload)?.bytes ?? 0) : 0;
}

const full = (limit: number): ApiError =>
  new ApiError(
    'RATE_LIMITED',
    `Answers of ${limit / mebibyte} MiB to calls of this project were sent and are not read yet, so no more are made. Read them, or end their connections.`,
    { details: { limitBytes: limit, of: 'project', retryAfterSeconds: 1 }, headers: { 'retry-after': '1' } },
  );
