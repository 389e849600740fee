/**
 * Large messages take memory from when they begin to come until Chromium has taken them, and a project may have many sockets.
 * So those of a project share some room; the next one is not read before there is room for it.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { type Share, shareOf } from '../../kit/loop-share.ts';
import { FrameCutter } from './frame-cutter.ts';

const largeBytes = 1024 ** 2;
const roomBytes = 64 * 1024 ** 2;
/** A client that sends this slowly must not keep the others waiting; what it sends grows slowly too. */
const longestHeldMs = 20_000;

/** Of a project. */
class Room {
  #used = 0;
  readonly #line: { bytes: number; enter(): void }[] = [];

  get isIdle(): boolean {
    return this.#used === 0 && this.#line.length === 0;
  }

  enter(bytes: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#line.push({ bytes, enter: resolve });
    this.#admit();
    return promise;
  }

  leave(bytes: number): void {
    this.#used -= bytes;
    this.#admit();
  }

  #admit(): void {
    for (let [first] = this.#line; first; [first] = this.#line) {
      if (this.#used > 0 && this.#used + first.bytes > roomBytes) return;
      this.#used += first.bytes;
      this.#line.shift();
      first.enter();
    }
  }
}

const rooms = new Map<string, Room>();

/** What one socket of the project has in its room. */
export class LargeMessages {
  readonly #projectId: string;
  /** Putting messages together takes the loop's time. */
  readonly share: Share;
  #held = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(projectId: string) {
    this.#projectId = projectId;
    this.share = shareOf(projectId);
  }

  /** Resolves when there is room for that much more of one message. */
  async enter(wanted: number): Promise<void> {
    // A message that is larger than any may be is refused by ws, once it is let in.
    const bytes = Math.min(wanted, roomBytes);
    const room = rooms.get(this.#projectId) ?? new Room();
    rooms.set(this.#projectId, room);
    await room.enter(bytes);
    this.#held += bytes;
    if (this.#closed) this.#leave();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#leave(), longestHeldMs).unref();
  }

  /** A message was taken by its receiver. */
  taken(bytes: number): void {
    if (bytes > largeBytes) this.#leave();
  }

  close(): void {
    this.#closed = true;
    this.#leave();
  }

  #leave(): void {
    clearTimeout(this.#timer);
    if (this.#held === 0) return;
    const room = rooms.get(this.#projectId);
    const bytes = this.#held;
    this.#held = 0;
    room?.leave(bytes);
    if (room?.isIdle) rooms.delete(this.#projectId);
  }
}

/**
 * From here on `opened` gets what its client sends in short frames, and of large messages only those that have room. All of it
 * takes loop time of the project: also frames that are no messages, which ws answers to or passes over.
 */
export function readInPieces(
  opened: WebSocket,
  connection: Duplex,
  { large, mostBytes }: { large: LargeMessages; mostBytes: number },
): void {
  const [hear, ...others] = connection.listeners('data') as ((chunk: Buffer) => void)[];
  if (!hear || others.length > 0) throw new Error('ws no longer hears its connection by one listener');
  connection.off('data', hear);
  const { share } = large;
  const cutter = new FrameCutter({ largeBytes, mostBytes });
  let chunks: Buffer[] = [];
  let pieces: ReturnType<FrameCutter['cut']> | undefined;
  /** For room, or for its turn: nothing is handled or read meanwhile. */
  let waits = false;
  let closed = false;
  const goOn = (): void => {
    waits = false;
    if (closed) return;
    pump();
    if (!waits && !opened.isPaused) connection.resume();
  };
  const wait = (): void => {
    waits = true;
    connection.pause();
  };
  const step = (): void => {
    const { done, value } = pieces!.next();
    if (done) pieces = undefined;
    else if (typeof value === 'number') {
      wait();
      void large.enter(value).then(goOn);
    } else if (Buffer.isBuffer(value)) hear.call(connection, value);
    // Not when ws has ended the conversation meanwhile.
    else if (opened.readyState === opened.OPEN) opened.emit('message', value.data, value.isBinary);
  };
  const next = () => {
    const chunk = chunks.shift();
    return chunk && cutter.cut(chunk);
  };
  const pump = (): void => {
    while (!waits && !closed) {
      pieces ??= next();
      if (!pieces) return;
      share.charge(step);
      if (waits || !share.isOver) continue;
      wait();
      share.wait(goOn);
    }
  };
  connection.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    pump();
  });
  // Who has taken the messages before reads on, and ws where its own buffer is empty again.
  connection.on('resume', () => {
    if (waits) connection.pause();
  });
  connection.once('close', () => {
    closed = true;
    chunks = [];
    pieces = undefined;
    large.close();
  });
}
