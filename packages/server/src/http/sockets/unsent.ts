/**
 * What a client has not taken yet, counted as the memory it takes: of short answers most of that is beside their bytes, and a
 * client that sends nonsense and does not read gets nothing else.
 */
import type { WebSocket } from 'ws';

/** Of a message that waits: its buffers, its head and its places in the stream. */
const besideBytes = 512;

export class Unsent {
  readonly #socket: WebSocket;
  #messages = 0;
  readonly #taken = (): void => {
    this.#messages--;
  };

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get bytes(): number {
    return this.#socket.bufferedAmount + this.#messages * besideBytes;
  }

  send(message: Buffer, binary: boolean): void {
    this.#messages++;
    this.#socket.send(message, { binary }, this.#taken);
  }
}
