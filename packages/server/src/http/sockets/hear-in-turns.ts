/**
 * Reads a WebSocket message by message within its project's share of the loop. ws hands out all messages of a chunk at once,
 * so those that came after the share was used up wait here, and nothing more is read from the client meanwhile. What a message
 * throws ends its socket, never the service.
 */
import type { RawData, WebSocket } from 'ws';
import type { Share } from '../../kit/loop-share.ts';

/**
 * `take` says whether it may be given more; if not, the return value is called when it may. `onTaken` hears the size of each
 * message that is held no longer.
 */
export function hearInTurns(
  socket: WebSocket,
  share: Share,
  take: (data: RawData, isBinary: boolean) => boolean,
  onTaken: (bytes: number) => void = () => undefined,
): () => void {
  const waiting: { data: RawData; isBinary: boolean }[] = [];
  let inLine = false;
  let full = false;
  let last = 0;
  const goOn = (): void => {
    inLine = false;
    while (waiting.length > 0 && !full && !share.isOver) {
      const { data, isBinary } = waiting.shift()!;
      const began = performance.now();
      // Before it is taken: the memory of a large message is given back once Chromium has it.
      last = (data as Buffer).length;
      try {
        full = !take(data, isBinary);
      } catch {
        waiting.length = 0;
        socket.terminate();
      }
      share.spend(performance.now() - began);
      if (!full) onTaken(last);
    }
    if (full || (waiting.length === 0 && !socket.isPaused)) return;
    if (waiting.length === 0) socket.resume();
    else if (!inLine) {
      inLine = true;
      share.wait(goOn);
    }
  };
  socket.on('message', (data: RawData, isBinary: boolean) => {
    waiting.push({ data, isBinary });
    if (!inLine && !full) goOn();
    if (waiting.length > 0 || full) socket.pause();
  });
  return () => {
    if (full) onTaken(last);
    full = false;
    if (!inLine) goOn();
  };
}
