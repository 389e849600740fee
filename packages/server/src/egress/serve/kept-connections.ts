/**
 * Kept connections for plain requests. A kept one was checked when it was dialled and is checked again at every change
 * of the settings, so taking it from the pool needs no second name resolution.
 */
import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';

export interface PooledArgs extends ClientRequestArgs {
  /** What a connection may be shared by: one place, reached one way. */
  place: string;
  /** Opens a new one. */
  connect: () => Promise<Duplex>;
}

export class KeptConnections extends Agent {
  constructor() {
    super({ keepAlive: true, maxFreeSockets: 8, timeout: 30_000, scheduling: 'lifo' });
  }

  override getName(options?: ClientRequestArgs): string {
    return (options as PooledArgs).place;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    (options as PooledArgs).connect().then(
      (socket) => callback(null, socket),
      (error) => callback(error as Error, undefined as never),
    );
  }

  /** Kept connections cost one handshake; after a change no connection over an old way may serve again. */
  drop(): void {
    for (const socket of Object.values(this.freeSockets).flat()) socket?.destroy();
  }
}
