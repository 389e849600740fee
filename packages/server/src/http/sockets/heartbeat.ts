/**
 * Tells a silent client from a dead one. Every so often it is asked for a sign of life; as such counts whatever has
 * come from it, and that it took something it was sent, since the answer to a ping waits behind a large message.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

export function watchPulse(
  socket: WebSocket,
  connection: Socket,
  options: { everyMs: number; onBeat(): void },
): void {
  const moved = (): number => connection.bytesRead + connection.bytesWritten - connection.writableLength;
  let last = -1;
  let missed = 0;
  const timer = setInterval(() => {
    // What we do not read ourselves is no silence of the other side.
    missed = moved() !== last || socket.isPaused ? 0 : missed + 1;
    if (missed > 1) {
      socket.terminate();
      return;
    }
    socket.ping();
    last = moved();
    options.onBeat();
  }, options.everyMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
