/**
 * Two sockets joined. Each direction ends on its own (half-close); a half-open connection without traffic is ended after a
 * while.
 */
import type { Socket } from 'node:net';
import { givingBack } from '../../kit/give-back.ts';
import type { Exit } from './exit.ts';

const halfOpenMs = 60_000;

export function join(exit: Exit, client: Socket, remote: Socket): void {
  carry(exit, client, remote);
  carry(exit, remote, client);
  if (client.destroyed) remote.destroy();
  if (remote.destroyed) client.destroy();
}

function carry(exit: Exit, from: Socket, to: Socket): void {
  exit.pace(from);
  from.pipe(givingBack(to));
  const ended = (): void => void to.setTimeout(halfOpenMs, () => to.destroy());
  if (from.readableEnded) ended();
  else from.once('end', ended);
  // Ended in both directions: the rest may still be on its way to the other side. In any other case both are destroyed.
  from.once('close', (hadError) => {
    if (hadError || !from.readableEnded || !from.writableFinished) to.destroy();
  });
}
