import { onTestFinished } from 'vitest';
import type { Api } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the service said
type Said = any;

export interface Viewer {
  /** Every message it received, oldest first. */
  readonly told: Said[];
  readonly frames: { header: Said; jpeg: Buffer }[];
  readonly closed: Promise<{ code: number; reason: string }>;
  say(message: object): void;
  close(): void;
}

export async function liveCapability(api: Api, id: string, mode: 'view' | 'control'): Promise<Said> {
  const body = { kind: 'live', mode };
  return (await api.call('POST', `/v1/browsers/${id}/capabilities`, { body })).body;
}

/** A viewer that draws at once, unless it is slow: then it never confirms a picture. */
export async function watch(socketUrl: string, { slow = false } = {}): Promise<Viewer> {
  const socket = new WebSocket(socketUrl);
  socket.binaryType = 'arraybuffer';
  onTestFinished(() => socket.close());
  const told: Said[] = [];
  const frames: Viewer['frames'] = [];
  const say = (message: object): void => socket.send(JSON.stringify(message));
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string') return void told.push(JSON.parse(data));
    const bytes = Buffer.from(data as ArrayBuffer);
    const end = 4 + bytes.readUInt32BE(0);
    frames.push({ header: JSON.parse(bytes.subarray(4, end).toString()), jpeg: bytes.subarray(end) });
    if (!slow) say({ type: 'ready' });
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
  });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('The socket did not open.')));
  });
  return { told, frames, closed, say, close: () => socket.close() };
}
