/** How the sockets of a browser are closed, whatever they are for. */
import type { WebSocket } from 'ws';
import type { Access, Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { CloseCode } from './close-codes.ts';
import type { Sockets } from './open-sockets.ts';

export interface SocketParts {
  access: Pick<Access, 'principalOf'>;
  sockets: Sockets;
  log: Log;
}

/** By the reason for which the browser, or the client's own slowness, ends the connection. */
export const closeCodeOf = {
  left: 1000,
  stopped: 4000,
  closed: 4001,
  crashed: 4002,
  moved: 1012,
  slow: 4003,
  tabClosed: 4005,
} as const satisfies Record<string, CloseCode>;

/** An expired token opens no new socket; a revoked key also closes the sockets it has opened. */
export async function closeWithoutKey(
  { access, log }: SocketParts,
  { keyId }: Principal,
  socket: WebSocket | undefined,
): Promise<void> {
  try {
    await access.principalOf(keyId);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') socket?.close(4004);
    else log.warn({ err: error }, 'socket.key_check_failed');
  }
}
