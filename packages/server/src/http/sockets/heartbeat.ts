/**
 * Distinguishes a silent client from a dead one. Every so often the client is pinged; anything it has sent since counts as a
 * sign of life, and so does any progress in what it was sent, since the pong waits behind a large message.
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
    // While the service itself does not read, the client is not silent.
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
