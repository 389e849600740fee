/**
 * Distinguishes a silent client from a dead one, and both from one that talks and never reads. Every so often the client is
 * pinged; anything it has sent since counts as a sign of life, and so does any progress in what it was sent, since the pong
 * waits behind a large message. What it sends does not count for ever, though: what waits for it takes memory.
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

/** Beats in which a client may take nothing of what waits for it; one message of the largest size shows no progress of its own. */
const mostBeatsStuck = 10;

export function watchPulse(
  socket: WebSocket,
  connection: Socket,
  options: { everyMs: number; onBeat(): void },
): void {
  const taken = (): number => connection.bytesWritten - connection.writableLength;
  let last = { taken: -1, read: -1 };
  let missed = 0;
  let stuck = 0;
  let pinging = false;
  const ping = (): void => {
    // One that is not taken yet asks as well as a second one would.
    if (pinging) return;
    pinging = true;
    socket.ping(undefined, false, () => {
      pinging = false;
    });
  };
  const timer = setInterval(() => {
    const isMoving = taken() !== last.taken;
    const isRead = !connection.isPaused();
    // While the service itself does not read, the client is not silent, and may be waiting for it before it reads on.
    missed = isMoving || connection.bytesRead !== last.read || !isRead ? 0 : missed + 1;
    if (isMoving || connection.writableLength === 0) stuck = 0;
    else if (isRead) stuck++;
    if (missed > 1 || stuck > mostBeatsStuck) {
      socket.terminate();
      return;
    }
    ping();
    last = { taken: taken(), read: connection.bytesRead };
    options.onBeat();
  }, options.everyMs);
  timer.unref();
  socket.once('close', () => clearInterval(timer));
}
