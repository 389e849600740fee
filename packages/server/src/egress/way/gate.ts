/**
 * The gate before the network. In a cluster a node may act for its browsers only while its lease holds: once it is over,
 * another node may have begun them anew, and a request of the old Chromium would come beside one of the new.
 *
 *   Chromium ──> exit ──> socket._write ──> lease held? ──yes──> network
 *                                               └──no──> kept back until the lease is regained; dropped with the socket
 *
 * Asked at every write, not when something tells that the lease ended: a process that was paused learns of that too late,
 * and the first thing it does when it wakes may be a write. (What the kernel took before the pause is out already.)
 */
import type { Socket } from 'node:net';
import { orAborted } from '../../kit/or-aborted.ts';

/** The right of this node to act; asked for each write, so it must be cheap. */
interface Lease {
  held(): boolean;
  /** Told when it is lost or regained; the return value is the off switch. */
  onChange(listener: (held: boolean) => void): () => void;
}

type Done = (error?: Error | null) => void;

export class Gate implements Disposable {
  readonly #lease: Lease;
  readonly #waiting = new Set<() => void>();
  readonly #off: () => void;

  constructor(lease: Lease) {
    this.#lease = lease;
    this.#off = lease.onChange((held) => {
      if (held) this.#letThrough();
    });
  }

  isOpen(): boolean {
    return this.#lease.held();
  }

  /** Writes and connections that are kept back now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** At once while it is open; fails with the reason of the signal. */
  async passage(signal: AbortSignal): Promise<void> {
    while (!this.#lease.held()) {
      const opened = Promise.withResolvers<void>();
      this.#waiting.add(opened.resolve);
      try {
        await orAborted(opened.promise, signal);
      } finally {
        this.#waiting.delete(opened.resolve);
      }
    }
  }

  /**
   * From now on nothing is written to this socket while the gate is shut, not even its end. TLS over a guarded socket writes
   * below it, so its own socket is guarded as well, before the first byte of a page.
   */
  guard(socket: Socket): void {
    const { _write: write, _writev: writev, _final: final } = socket;
    socket._write = (chunk, encoding, done) =>
      this.#pass(socket, () => write.call(socket, chunk, encoding, done), done);
    if (writev)
      socket._writev = (chunks, done) => this.#pass(socket, () => writev.call(socket, chunks, done), done);
    socket._final = (done) => this.#pass(socket, () => final.call(socket, done), done);
  }

  #pass(socket: Socket, go: () => void, done: Done): void {
    if (this.#lease.held()) {
      go();
      return;
    }
    const again = (): void => {
      if (!this.#lease.held()) return;
      leave();
      go();
    };
    const drop = (): void => {
      leave();
      done(new Error('the connection was closed before its bytes could leave'));
    };
    const leave = (): void => {
      this.#waiting.delete(again);
      socket.off('close', drop);
    };
    this.#waiting.add(again);
    socket.once('close', drop);
  }

  #letThrough(): void {
    for (const again of [...this.#waiting]) again();
  }

  [Symbol.dispose](): void {
    this.#off();
  }
}
