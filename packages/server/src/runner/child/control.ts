/**
 * The runner's end of the control socket: messages out, messages in, and requests to the service with their answers.
 */
import type { Socket } from 'node:net';
import {
  bytesFrames,
  controlKinds,
  type FilesAsked,
  FrameReader,
  type FromChild,
  limits,
  messageFrame,
  type ToChild,
} from '../wire/wire.ts';

export interface Answer {
  value: unknown;
  bytes: Buffer;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class Control {
  readonly #socket: Socket;
  readonly #onMessage: (message: Exclude<ToChild, { type: 'answer' | 'refusal' }>) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastQuestion = 0;
  /** An answer whose bytes are still coming. */
  #incoming: { question: number; value: unknown; bytes: number; parts: Buffer[]; held: number } | undefined;

  constructor(
    socket: Socket,
    onMessage: (message: Exclude<ToChild, { type: 'answer' | 'refusal' }>) => void,
  ) {
    this.#socket = socket;
    this.#onMessage = onMessage;
    const maxFrame = Math.max(limits.controlFrame, limits.argsBytes + limits.codeBytes * 6 + limits.chunk);
    const reader = new FrameReader(maxFrame);
    socket.on('data', (chunk: Buffer) => {
      for (const whole of reader.read(chunk)) this.#receive(whole);
    });
  }

  send(message: FromChild): void {
    this.#socket.write(messageFrame(message));
  }

  /** For a message that is already JSON text. */
  sendText(json: string): void {
    const kind = Buffer.from([controlKinds.message]);
    const text = Buffer.from(json, 'utf8');
    const header = Buffer.allocUnsafe(4);
    header.writeUInt32LE(kind.length + text.length);
    this.#socket.write(Buffer.concat([header, kind, text]));
  }

  ask(asked: FilesAsked, bytes?: Uint8Array): Promise<Answer> {
    const question = ++this.#lastQuestion;
    return new Promise((resolve, reject) => {
      this.#waiting.set(question, { resolve, reject });
      this.send({ type: 'ask', question, ...asked });
      for (const each of bytesFrames(bytes ?? Buffer.alloc(0))) this.#socket.write(each);
    });
  }

  #receive(whole: Buffer): void {
    if (whole[0] === controlKinds.bytes) {
      this.#receiveBytes(whole.subarray(1));
      return;
    }
    const message = JSON.parse(whole.toString('utf8', 1)) as ToChild;
    if (message.type === 'answer') {
      this.#incoming = { ...message, parts: [], held: 0 };
      this.#finishIncoming();
    } else if (message.type === 'refusal') {
      this.#settle(message.question)?.reject(new Error(message.message));
    } else this.#onMessage(message);
  }

  #receiveBytes(bytes: Buffer): void {
    if (!this.#incoming) return;
    this.#incoming.parts.push(bytes);
    this.#incoming.held += bytes.length;
    this.#finishIncoming();
  }

  #finishIncoming(): void {
    if (!this.#incoming || this.#incoming.held < this.#incoming.bytes) return;
    const { question, value, parts } = this.#incoming;
    this.#incoming = undefined;
    this.#settle(question)?.resolve({ value, bytes: Buffer.concat(parts) });
  }

  #settle(question: number): Waiting | undefined {
    const waiting = this.#waiting.get(question);
    this.#waiting.delete(question);
    return waiting;
  }
}
