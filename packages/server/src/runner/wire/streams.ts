/**
 * Many byte streams over one socket, opened by the runner and handed out as Duplex by the service:
 *
 *   context.request ─> stream ─┐                    ┌─> Duplex ─> egress proxy of that browser
 *   a call's trace  ─> stream ─┴── fd 5 (frames) ───┴─> Duplex ─> where the service keeps it
 *
 * Each direction of a stream may be `windowBytes` ahead of its reader, so a slow reader stops only its own sender, and
 * nothing piles up in between.
 */
import { Duplex } from 'node:stream';
import { FrameReader, frame, limits, WireError } from './framing.ts';

const operations = { open: 1, data: 2, end: 3, reset: 4, window: 5 } as const;
/** What a stream is for, as the one byte that its opening carries. */
const purposes = ['connection', 'trace'] as const;
export type StreamPurpose = (typeof purposes)[number];
const windowBytes = 256 * 1024;
const pieceBytes = 32 * 1024;
const headBytes = 5;

interface Pipe {
  write(data: Buffer): boolean;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
}

type Pieces = Iterator<undefined, void>;

interface StreamsOptions {
  /** Makes this the accepting side. */
  onOpen?: (stream: Duplex, purpose: StreamPurpose) => void;
  /** The other side broke the protocol. */
  onBroken(error: WireError): void;
  /** Reads the socket itself and gives each chunk to `read`; without it every chunk is handled at once. */
  readBy?(read: (chunk: Buffer) => Pieces, onFault: (error: Error) => void): void;
}

export class Streams {
  readonly #pipe: Pipe;
  readonly #onOpen: StreamsOptions['onOpen'];
  readonly #open = new Map<number, Stream>();
  readonly #reader = new FrameReader(headBytes + pieceBytes);
  #lastNumber = 0;
  #closed = false;

  constructor(pipe: Pipe, options: StreamsOptions) {
    this.#pipe = pipe;
    this.#onOpen = options.onOpen;
    const onFault = (error: Error): void => {
      this.close();
      options.onBroken(error as WireError);
    };
    const read = (chunk: Buffer): Pieces => this.#read(chunk);
    if (options.readBy) options.readBy(read, onFault);
    else
      pipe.on('data', (chunk) => {
        try {
          for (const _ of this.#read(chunk));
        } catch (error) {
          onFault(error as Error);
        }
      });
  }

  *#read(chunk: Buffer): Generator<undefined, void> {
    for (const whole of this.#reader.read(chunk)) {
      if (this.#closed) return;
      this.#receive(whole);
      yield;
    }
  }

  open(purpose: StreamPurpose = 'connection'): Duplex {
    if (this.#open.size >= limits.streams) throw new Error('Too many requests at once.');
    const stream = this.#add(++this.#lastNumber);
    this.#send(operations.open, stream.number, Buffer.from([purposes.indexOf(purpose)]));
    return stream;
  }

  close(): void {
    this.#closed = true;
    this.endAll();
  }

  /** Those that are open now. */
  endAll(): void {
    for (const stream of this.#open.values()) stream.destroy();
  }

  #add(number: number): Stream {
    const stream = new Stream(number, (operation, body) => this.#send(operations[operation], number, body));
    this.#open.set(number, stream);
    stream.once('close', () => this.#open.delete(number));
    // An error also ends the stream, which its user sees; without a listener it would end the process.
    stream.on('error', () => undefined);
    return stream;
  }

  #send(operation: number, number: number, body: Uint8Array = Buffer.alloc(0)): void {
    if (this.#closed) return;
    const head = Buffer.allocUnsafe(headBytes);
    head.writeUInt8(operation);
    head.writeUInt32LE(number, 1);
    this.#pipe.write(frame(head, body));
  }

  #receive(whole: Buffer): void {
    if (whole.length < headBytes) throw new WireError('a stream frame without a head');
    const operation = whole.readUInt8();
    const number = whole.readUInt32LE(1);
    if (operation === operations.open) this.#accept(number, whole.subarray(headBytes));
    else if (number > this.#lastNumber) throw new WireError('a frame of a stream that was never opened');
    else this.#open.get(number)?.receive(operation, whole.subarray(headBytes));
  }

  #accept(number: number, body: Buffer): void {
    const purpose = body.length === 1 ? purposes[body.readUInt8()] : undefined;
    if (!purpose) throw new WireError('a stream for no known purpose');
    if (!this.#onOpen || number !== this.#lastNumber + 1) throw new WireError('a stream opened out of turn');
    this.#lastNumber = number;
    if (this.#open.size >= limits.streams) this.#send(operations.reset, number);
    else this.#onOpen(this.#add(number), purpose);
  }
}

type Send = (operation: Exclude<keyof typeof operations, 'open'>, body?: Uint8Array) => void;

class Stream extends Duplex {
  readonly number: number;
  readonly #send: Send;
  #maySend = windowBytes;
  #waiting: (() => void) | undefined;
  #mayReceive = windowBytes;
  #unread = 0;
  #allReceived = false;
  #otherSideGone = false;

  constructor(number: number, send: Send) {
    super({ allowHalfOpen: true, emitClose: true });
    this.number = number;
    this.#send = send;
  }

  receive(operation: number, body: Buffer): void {
    if (operation === operations.data) this.#receiveData(body);
    else if (operation === operations.end) this.#receiveEnd();
    else if (operation === operations.window) this.#widen(body);
    else if (operation === operations.reset) {
      this.#otherSideGone = true;
      this.destroy(Object.assign(new Error('The connection was reset.'), { code: 'ECONNRESET' }));
    } else throw new WireError(`stream operation ${operation}`);
  }

  #receiveData(body: Buffer): void {
    this.#mayReceive -= body.length;
    if (this.#mayReceive < 0) throw new WireError('more stream data than the window allows');
    if (this.#allReceived) throw new WireError('stream data after its end');
    if (this.destroyed) return;
    this.#unread += body.length;
    // The frame's memory is shared with its neighbours; a chunk that waits here must not keep them alive.
    if (this.push(Buffer.from(body))) this.#allowMore();
  }

  #receiveEnd(): void {
    if (this.#allReceived) throw new WireError('a second end of a stream');
    this.#allReceived = true;
    this.push(null);
  }

  #widen(body: Buffer): void {
    if (body.length !== 4) throw new WireError('a window without a size');
    this.#maySend = Math.min(this.#maySend + body.readUInt32LE(), windowBytes);
    const go = this.#waiting;
    this.#waiting = undefined;
    go?.();
  }

  #allowMore(): void {
    if (this.#unread === 0) return;
    const body = Buffer.allocUnsafe(4);
    body.writeUInt32LE(this.#unread);
    this.#mayReceive += this.#unread;
    this.#unread = 0;
    this.#send('window', body);
  }

  override _read(): void {
    this.#allowMore();
  }

  override _write(data: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#maySend === 0) {
      this.#waiting = () => this._write(data, _encoding, done);
      return;
    }
    const piece = data.subarray(0, Math.min(data.length, this.#maySend, pieceBytes));
    this.#maySend -= piece.length;
    this.#send('data', piece);
    if (piece.length === data.length) done();
    else this._write(data.subarray(piece.length), _encoding, done);
  }

  override _final(done: () => void): void {
    this.#send('end');
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // After a clean end the other side may still be reading: a reset would discard the rest.
    const clean = this.#allReceived && this.writableFinished;
    if (!this.#otherSideGone && !clean) this.#send('reset');
    done(error);
  }
}
