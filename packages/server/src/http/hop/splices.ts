/**
 * WebSockets that end at another node. This node passes bytes and knows nothing of what they say; only when the other node
 * is lost, or this one stops, it says so to the client, between two frames.
 *
 *   client <──bytes──> this node <──bytes, encrypted──> the node that holds the browser
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeReason } from '../sockets/sockets.ts';
import { closeFrame, FrameEdges } from './frame-edges.ts';

export interface Side {
  socket: Duplex;
  /** What came with the upgrade already. */
  head: Buffer;
}

/** How long the client has to take the last bytes, and to close. */
const patienceMs = 2000;

export class Splices {
  readonly #open = new Set<(code: number) => void>();

  /** `headers`: of the other node's answer, as they go to the client. */
  join(near: Side, far: Side, answer: IncomingMessage, headers: string[]): void {
    const edges = new FrameEdges();
    const end = (code: number): void => {
      far.socket.destroy();
      // What the client still says is not passed on; its end must be heard.
      near.socket.unpipe();
      near.socket.resume();
      near.socket.end(edges.open ? closeFrame(code, closeReason(code) ?? '') : undefined);
      const late = setTimeout(() => near.socket.destroy(), patienceMs).unref();
      near.socket.once('close', () => clearTimeout(late));
    };
    // Both first: what breaks on one side ends the other by its close.
    for (const { socket } of [near, far]) socket.on('error', () => socket.destroy());
    near.socket.once('close', () => {
      this.#open.delete(end);
      far.socket.destroy();
    });
    far.socket.once('close', () => {
      if (!near.socket.writableEnded) end(1012);
    });
    near.socket.once('end', () => far.socket.end());
    this.#open.add(end);
    if (near.socket.destroyed) far.socket.destroy();
    near.socket.write(headOf(answer, headers));
    far.socket.on('data', (chunk: Buffer) => edges.pass(chunk));
    far.socket.unshift(far.head);
    far.socket.pipe(near.socket, { end: false });
    near.socket.unshift(near.head);
    near.socket.pipe(far.socket, { end: false });
  }

  /** This node stops: the clients connect again, by way of another. */
  close(): void {
    for (const end of [...this.#open]) end(1001);
  }
}

function headOf({ statusMessage }: IncomingMessage, headers: string[]): string {
  const lines = ['Connection: Upgrade', 'Upgrade: websocket'];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `HTTP/1.1 101 ${statusMessage}\r\n${lines.join('\r\n')}\r\n\r\n`;
}
