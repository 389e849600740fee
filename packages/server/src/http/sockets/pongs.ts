/**
 * A ping of six bytes would be answered by a message that takes a hundred times as much while it waits, and who does not read
 * makes it wait. So one answer at a time waits for a client, and of the pings that came meanwhile the last one is answered, as
 * the protocol allows.
 */
import type { WebSocket } from 'ws';

export function answerPings(socket: WebSocket): void {
  let waits = false;
  let last: Buffer | undefined;
  const answer = (): void => {
    if (waits || !last || socket.readyState !== socket.OPEN) return;
    waits = true;
    socket.pong(last, false, () => {
      waits = false;
      answer();
    });
    last = undefined;
  };
  socket.on('ping', (data: Buffer) => {
    // Its own bytes: those of the ping are part of all that came with it.
    last = Buffer.from(data);
    answer();
  });
}
