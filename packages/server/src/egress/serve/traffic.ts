/** Every socket towards the network: counted while open, summed when closed, all of them ended by one call. */
import type { Socket } from 'node:net';

export class Traffic {
  readonly #open = new Set<Socket>();
  #bytesIn = 0;
  #bytesOut = 0;
  #emptied: (() => void) | undefined;

  track(socket: Socket): void {
    this.#open.add(socket);
    // The user of the socket listens for errors too; this listener is for the moments in which the socket has no user.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#bytesIn += socket.bytesRead;
      this.#bytesOut += socket.bytesWritten;
      if (this.#open.size === 0) this.#emptied?.();
    });
  }

  count(): { bytesIn: number; bytesOut: number; connections: number } {
    let bytesIn = this.#bytesIn;
    let bytesOut = this.#bytesOut;
    for (const socket of this.#open) {
      bytesIn += socket.bytesRead;
      bytesOut += socket.bytesWritten;
    }
    return { bytesIn, bytesOut, connections: this.#open.size };
  }

  async end(): Promise<void> {
    if (this.#open.size === 0) return;
    const emptied = new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
    for (const socket of this.#open) socket.destroy();
    await emptied;
  }
}
