/**
 * CONNECT: two sockets joined, bytes in both directions untouched.
 *
 *   browser ══ client ⇄ remote ══ site (or the upstream's far end)
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Target } from '../policy/policy.ts';
import { Gone, reach, type Settings, TryAgain } from '../way/way.ts';
import type { Conversation, Exit } from './exit.ts';
import { join } from './join.ts';
import { sendRaw } from './reply.ts';
import { type Asked, readConnect } from './request-target.ts';
import { type Connected, vouchedTunnel } from './vouched-tunnel.ts';

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
    const { target } = asked;
    const connected = await connect(exit, target, client);
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (connected.conversation.vouched) {
      const again = () => connect(exit, target, client);
      await vouchedTunnel(exit, { target, client, head, again }, connected);
      return;
    }
    if (head.length > 0) connected.remote.write(head);
    join(exit, client, connected.remote);
  } catch (error) {
    if (error instanceof Gone) client.destroy();
    else sendRaw(client, exit.fail(error, request.url ?? '', asked?.target));
  }
}

async function connect(exit: Exit, target: Target, client: Socket): Promise<Connected> {
  const { remote, under } = await openWay(exit, target, client);
  const vouched = exit.voucher !== undefined && !exit.otherClients.has(client) && under.sites.concern(target);
  return { remote, under, conversation: converse(exit, { target, under, vouched }, client, remote) };
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
      const under = await exit.admit(target, gone.signal);
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
  about: { target: Target; under: Settings; vouched?: boolean },
  client: Socket,
  remote: Socket,
): Conversation {
  const cut = (): void => {
    client.destroy();
    remote.destroy();
  };
  const conversation: Conversation = { ...about, remote, cut };
  remote.once('close', () => exit.end(conversation));
  exit.begin(conversation);
  return conversation;
}
