/** A viewer that draws each picture at once, and says what it is told to. */
import type { Bench } from './service.ts';

export interface BenchViewer {
  frames(): number;
  bytes(): number;
  say(message: object): void;
  /** Resolves with the time at which the next picture has come. */
  next(): Promise<number>;
  close(): Promise<void>;
}

export async function openViewer(bench: Bench, id: string, mode: 'view' | 'control'): Promise<BenchViewer> {
  const path = `/v1/browsers/${id}/capabilities`;
  const { socketUrl } = await bench.call<{ socketUrl: string }>('POST', path, { kind: 'live', mode });
  const socket = new WebSocket(socketUrl);
  socket.binaryType = 'arraybuffer';
  let [frames, bytes] = [0, 0];
  let waiting: ((at: number) => void) | undefined;
  const say = (message: object): void => socket.send(JSON.stringify(message));
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return;
    frames++;
    bytes += (data as ArrayBuffer).byteLength;
    waiting?.(performance.now());
    waiting = undefined;
    say({ type: 'ready' });
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The live socket did not open.')));
  });
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve());
  });
  return {
    frames: () => frames,
    bytes: () => bytes,
    say,
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    close() {
      socket.close();
      return closed;
    },
  };
}
