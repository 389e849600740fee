/**
 * CONNECT to a site that the exit looks at first. It speaks TLS with the site, and only if all is well with its certificate
 * does it speak TLS with Chromium too, in the same protocol. In any other case the site is dialled again and Chromium speaks
 * with it untouched: what is wrong with it Chromium then says itself.
 *
 *   ClientHello ──> checked TLS with the site ──yes──> TLS with Chromium, bytes carried between the two
 *                             └──no──> dialled again, ClientHello sent on, bytes untouched
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Target } from '../policy/policy.ts';
import {
  type ClientHello,
  hearHello,
  type Mistrust,
  mistrustOf,
  refusalOfOurs,
  type Secured,
  secureSite,
} from '../vouch/vouch.ts';
import { Gone, type Settings } from '../way/way.ts';
import type { Conversation, Exit } from './exit.ts';
import { join } from './join.ts';

export interface Connected {
  remote: Socket;
  under: Settings;
  conversation: Conversation;
}

interface Asking {
  target: Target;
  client: Socket;
  head: Buffer;
  /** Another connection to the same place, by the same rules. */
  again: () => Promise<Connected>;
}

/** Chromium answers within the same machine. */
const handshakeMs = 20_000;

export async function vouchedTunnel(exit: Exit, asking: Asking, connected: Connected): Promise<void> {
  const { client, target, head } = asking;
  const gone = new AbortController();
  const leave = (): void => gone.abort(new Gone());
  let latest = connected;
  const again = async (): Promise<Connected> => {
    latest = await asking.again();
    return latest;
  };
  client.once('close', leave);
  try {
    const { heard, hello } = await hearHello(client, head);
    if (hello === 'cut') throw new Gone();
    const isForHost =
      hello && (hello.serverName === undefined || hello.serverName.toLowerCase() === target.host);
    const found = isForHost
      ? await look(exit, { ...asking, again }, { hello, connected, signal: gone.signal })
      : connected;
    gone.signal.throwIfAborted();
    if ('certificate' in found) {
      client.unshift(heard);
      vouch(exit, asking, found);
    } else {
      found.conversation.vouched = false;
      if (heard.length > 0) found.remote.write(heard);
      join(exit, client, found.remote);
    }
  } catch (error) {
    // The way stands, as far as Chromium knows, so that an answer in plain text is no longer possible.
    if (!(error instanceof Gone)) exit.fail(error, '', target);
    client.destroy();
    latest.remote.destroy();
  } finally {
    client.off('close', leave);
  }
}

interface Look {
  hello: ClientHello;
  connected: Connected;
  /** Chromium has hung up. */
  signal: AbortSignal;
}

/** The site, secured; or a connection on which nothing has been said. */
async function look(
  exit: Exit,
  asking: Asking,
  { hello, connected, signal }: Look,
): Promise<Secured | Connected> {
  const { target, again } = asking;
  const { sites } = connected.under;
  using _others = await sites.find(target);
  if (!sites.concern(target)) return connected;
  let at = connected;
  let mistrust: Mistrust | undefined;
  for (const check of sites.checksFor(target)) {
    const found = await attempt(exit, at, target.host, { hello, check, signal });
    if ('socket' in found) {
      if (check.by === 'ours') sites.note(target, 'ours');
      return found;
    }
    const { code, certificate } = found;
    const isOurs = certificate !== undefined && sites.isOurs(certificate);
    if (check.by === 'ours') sites.note(target, isOurs ? 'invalid' : certificate ? 'notOurs' : 'notSeen');
    if (isOurs) mistrust ??= mistrustOf(code);
    at = await again();
    // What holds for the site has been changed meanwhile.
    if (at.under.sites !== sites) return look(exit, asking, { hello, connected: at, signal });
  }
  if (mistrust) exit.mistrust(target, mistrust);
  return at;
}

async function attempt(
  exit: Exit,
  { remote }: Connected,
  host: string,
  how: Parameters<typeof secureSite>[2],
): ReturnType<typeof secureSite> {
  using _turn = await exit.handshakes();
  await exit.network.gate?.passage(how.signal);
  const found = await secureSite(remote, host, how);
  if ('socket' in found) exit.network.gate?.guard(found.socket);
  how.signal.throwIfAborted();
  return found;
}

function vouch(exit: Exit, { client, target }: Asking, { socket, certificate, protocol }: Secured): void {
  const toChromium = new TLSSocket(client, {
    isServer: true,
    secureContext: exit.voucher?.contextFor(target.host, certificate),
    ...(protocol !== undefined && { ALPNCallback: () => protocol }),
  });
  toChromium.on('error', () => undefined);
  const late = setTimeout(() => toChromium.destroy(), handshakeMs);
  toChromium.once('secure', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  socket.once('error', (error) => {
    const refusal = refusalOfOurs(error);
    if (refusal) exit.mistrust(target, refusal);
  });
  exit.outcomes.vouched(target);
  join(exit, toChromium, socket);
}
