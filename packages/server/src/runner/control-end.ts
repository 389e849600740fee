/**
 * The service's end of the control socket. Passes on checked messages, with the bytes that belong to a request already
 * gathered; at the first violation of the protocol it reports that once and reads no further.
 */
import type { Socket } from 'node:net';
import { LongMessage } from '../kit/long-message.ts';
import { readInTurns, type Share } from '../kit/loop-share.ts';
import { readInSteps } from './check.ts';
import {
  bytesFrames,
  controlKinds,
  FrameReader,
  type FromChild,
  limits,
  messageFrame,
  type ToChild,
  WireError,
} from './wire/wire.ts';

export interface ControlHandlers {
  onMessage(message: FromChild, bytes: Buffer): void;
  onBroken(reason: string): void;
  /** Whose loop time is used for what the runner says. */
  share(): Share;
}

export class ControlEnd {
  readonly #socket: Socket;
  readonly #handlers: ControlHandlers;
  readonly #reader = new FrameReader(limits.controlFrame, (bytes) => new LongMessage(bytes));
  #gathering: { message: FromChild; missing: number; parts: Buffer[] } | undefined;
  #broken = false;

  constructor(socket: Socket, handlers: ControlHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    readInTurns(socket, {
      share: handlers.share,
      read: (chunk) => this.#read(chunk),
      onFault: (error) => {
        this.stop();
        handlers.onBroken(error.message);
      },
    });
  }

  *#read(chunk: Buffer): Generator<undefined, void> {
    for (const frame of this.#reader.read(chunk)) {
      if (this.#broken) return;
      yield* this.#receive(frame);
      yield;
    }
  }

  send(message: ToChild, bytes?: Uint8Array): void {
    this.#socket.write(messageFrame(message));
    if (bytes) for (const each of bytesFrames(bytes)) this.#socket.write(each);
  }

  stop(): void {
    this.#broken = true;
  }

  *#receive(frame: Buffer): Generator<undefined, void> {
    if (frame[0] === controlKinds.bytes) {
      this.#gather(frame.subarray(1));
      return;
    }
    if (frame[0] !== controlKinds.message) throw new WireError('a frame of an unknown kind');
    if (this.#gathering) throw new WireError('a message amid the bytes of another');
    const message = yield* readInSteps(frame.subarray(1));
    if (message.type === 'ask' && message.op === 'write' && message.bytes > 0)
      this.#gathering = { message, missing: message.bytes, parts: [] };
    else this.#handlers.onMessage(message, Buffer.alloc(0));
  }

  #gather(bytes: Buffer): void {
    if (!this.#gathering || bytes.length === 0 || bytes.length > this.#gathering.missing)
      throw new WireError('bytes that belong to no message');
    this.#gathering.parts.push(bytes);
    this.#gathering.missing -= bytes.length;
    if (this.#gathering.missing > 0) return;
    const { message, parts } = this.#gathering;
    this.#gathering = undefined;
    this.#handlers.onMessage(message, Buffer.concat(parts));
  }
}
