/**
 * CDP between the browser and a runner, message by message and unread: the filter decides what may pass.
 *
 *   browser ─> port ─> relay ─ fd 3 ─> runner       a runner that does not read: the port is paused, then it is ended
 *   browser <─ port <─ relay <─ fd 3 ─ runner       a browser that does not read: the socket is paused
 */
import type { Socket } from 'node:net';
import { LongMessage } from '../kit/long-message.ts';
import { readInTurns, type Share } from '../kit/loop-share.ts';
import { FrameReader, limits } from './wire/wire.ts';

export interface CdpPort {
  /** Towards the browser. A promise holds further messages back until it is settled. */
  send(message: Buffer): void | Promise<void>;
  /** From the browser. */
  onMessage(listener: (message: Buffer) => void): void;
  /**
   * The runner reads more slowly than the browser sends, or has caught up. Without it the difference is kept in memory.
   */
  pause?(paused: boolean): void;
}

const slowBytes = 4 * 1024 ** 2;
const brokenBytes = 192 * 1024 ** 2;

export interface RelayHandlers {
  /** Of the runner: why it may not be sent, if it may not. */
  refusal(message: Buffer): string | undefined;
  /** Of the browser. */
  onHeard(message: Buffer): void;
  /** Before a message goes in: the runner may be asleep. */
  onTraffic(): void;
  onBroken(reason: string): void;
  /** Whose loop time is used for what the runner says. */
  share(): Share;
}

export function relayCdp(socket: Socket, port: CdpPort, handlers: RelayHandlers): { close(): void } {
  let open = true;
  let paused = false;
  const broken = (reason: string): void => {
    if (!open) return;
    open = false;
    handlers.onBroken(reason);
  };
  const reader = new FrameReader(limits.cdpFrame, (bytes) => new LongMessage(bytes));
  const pass = function* (chunk: Buffer): Generator<void | Promise<void>, void> {
    for (const message of reader.read(chunk)) {
      if (!open) return;
      const refusal = handlers.refusal(message);
      if (refusal) return broken(refusal);
      yield port.send(message);
    }
  };
  readInTurns(socket, { share: handlers.share, read: pass, onFault: (error) => broken(error.message) });
  const setPaused = (now: boolean): void => {
    if (paused === now) return;
    paused = now;
    port.pause?.(now);
  };
  socket.on('drain', () => setPaused(false));
  port.onMessage((message) => {
    if (!open) return;
    handlers.onHeard(message);
    handlers.onTraffic();
    const header = Buffer.allocUnsafe(4);
    header.writeUInt32LE(message.length);
    socket.cork();
    socket.write(header);
    socket.write(message);
    process.nextTick(() => socket.uncork());
    if (socket.writableLength > brokenBytes) broken('it does not read what the browser says');
    else if (socket.writableLength > slowBytes) setPaused(true);
  });
  return {
    close() {
      open = false;
    },
  };
}
