/** How the sockets of a browser end, whatever they are for. */
import type { WebSocket } from 'ws';
import type { Access, Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import type { Log } from '../../kit/log.ts';
import type { EndReason } from '../../page/page.ts';
import type { CloseCode } from './close-codes.ts';
import type { Sockets } from './open-sockets.ts';

export interface SocketParts {
  access: Pick<Access, 'principalOf'>;
  sockets: Sockets;
  log: Log;
}

export const farewells: Record<EndReason, CloseCode> = {
  left: 1000,
  stopped: 4000,
  closed: 4001,
  crashed: 4002,
  slow: 4003,
};

/** A token that expires lets nobody in any more; a key that is gone also ends what it had opened. */
export async function leaveWithKey(
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
