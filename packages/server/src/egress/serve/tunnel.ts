/**
 * CONNECT: two sockets joined, bytes in both directions untouched.
 *
 *   browser ══ client ⇄ remote ══ site (or the upstream's far end)
 *
 * Each direction ends on its own (half-close); a half-open connection without traffic is ended after a while.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Target } from '../policy/policy.ts';
import { Gone, reach, type Settings, TryAgain } from '../way/way.ts';
import type { Exit } from './exit.ts';
import { sendRaw } from './reply.ts';
import { type Asked, readConnect } from './request-target.ts';

const halfOpenMs = 60_000;

export async function tunnel(
  exit: Exit,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  let asked: Asked | undefined;
  try {
    asked = readConnect(request.url ?? '');
    await exit.turn();
    const { remote, under } = await openWay(exit, asked.target, client);
    converse(exit, { target: asked.target, under }, client, remote);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) remote.write(head);
    join(exit, client, remote);
  } catch (error) {
    if (error instanceof Gone) client.destroy();
    else sendRaw(client, exit.fail(error, request.url ?? '', asked?.target));
  }
}

/** Begins again under the new settings when they change midway; ends when the client hangs up. */
export async function openWay(
  exit: Exit,
  target: Target,
  client: Socket,
): Promise<{ remote: Socket; under: Settings }> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  client.once('close', leave);
  try {
    for (;;) {
      const under = exit.admit(target);
      try {
        const way = (network: Exit['network'], signal: AbortSignal) => reach(under, target, network, signal);
        return { remote: await exit.open(under, way, gone.signal), under };
      } catch (error) {
        if (!(error instanceof TryAgain)) throw error;
      }
    }
  } finally {
    client.off('close', leave);
  }
}

/** Lets a change of the settings cut both sockets at once. */
export function converse(
  exit: Exit,
  about: { target: Target; under: Settings },
  client: Socket,
  remote: Socket,
): void {
  const cut = (): void => {
    client.destroy();
    remote.destroy();
  };
  const conversation = { ...about, remote, cut };
  remote.once('close', () => exit.end(conversation));
  exit.begin(conversation);
}

export function join(exit: Exit, client: Socket, remote: Socket): void {
  carry(exit, client, remote);
  carry(exit, remote, client);
  if (client.destroyed) remote.destroy();
}

function carry(exit: Exit, from: Socket, to: Socket): void {
  exit.pace(from);
  from.pipe(to);
  from.once('end', () => {
    to.setTimeout(halfOpenMs, () => to.destroy());
  });
  // Ended in both directions: the rest may still be on its way to the other side. In any other case both are destroyed.
  from.once('close', (hadError) => {
    if (hadError || !from.readableEnded || !from.writableFinished) to.destroy();
  });
}
