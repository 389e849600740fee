/**
 * The way a connection takes under the current settings.
 *
 *   direct                 dial(target)
 *   http, https upstream   dial(upstream) ─[TLS]─ CONNECT target        (plain requests: absolute form, no CONNECT)
 *   socks5 upstream        dial(upstream) ─ SOCKS CONNECT target
 *
 * With an upstream the target is decided by name (names are resolved over there) and the upstream's own address by the
 * same private-address and own-listener rules; otherwise a proxy of http://127.0.0.1:5432 would lead inwards.
 */
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { orAborted } from '../../kit/or-aborted.ts';
import {
  decideAddress,
  decideHost,
  decideUnresolved,
  type HostSet,
  isAddress,
  isLocalhost,
  type Rules,
  type Target,
} from '../policy/policy.ts';
import type { Sites } from '../vouch/vouch.ts';
import { dial, type Network } from './dial.ts';
import { Gone, Refused, reasonOf, refusalOf, UpstreamFailed } from './failures.ts';
import { connectThroughHttp } from './http-connect.ts';
import { connectThroughSocks } from './socks5.ts';
import { describeUpstream, isSameUpstream, type Upstream } from './upstream.ts';

export interface Settings {
  rules: Rules;
  upstream: Upstream | undefined;
  bypass: HostSet;
  /** Those that the exit looks at before Chromium does. */
  sites: Sites;
}

const ownLookMs = 3000;

export const upstreamFor = ({ upstream, bypass }: Settings, host: string): Upstream | undefined =>
  upstream === undefined || bypass.covers(host) ? undefined : upstream;

/** A connection whose other end is the target. */
export async function reach(
  settings: Settings,
  target: Target,
  network: Network,
  signal: AbortSignal,
): Promise<Socket> {
  const upstream = upstreamFor(settings, target.host);
  if (upstream === undefined) return dial(settings.rules, target, network, signal);
  await checkUnresolved(settings.rules, target, network);
  const socket = await reachUpstream(settings.rules, upstream, network, signal);
  const through = upstream.scheme === 'socks5' ? connectThroughSocks : connectThroughHttp;
  await orDestroyed(socket, through(socket, upstream, target), signal);
  return socket;
}

/** The rules for a target that the upstream will resolve; a name is resolved here only where the port is one of our listeners. */
export async function checkUnresolved(rules: Rules, target: Target, network: Network): Promise<void> {
  const rule = decideUnresolved(rules, target);
  if (rule !== undefined) throw new Refused(rule, isAddress(target.host) ? target.host : undefined);
  if (!network.isOwnPort(target.port)) return;
  const addresses = isLocalhost(target.host)
    ? ['127.0.0.1']
    : isAddress(target.host)
      ? [target.host]
      : await orAborted(network.resolve(target.host), AbortSignal.timeout(ownLookMs)).catch(() => []);
  const own = addresses.find((address) => network.isOwn(address, target.port));
  if (own !== undefined) throw new Refused('own_listener', own);
}

/** A connection whose other end is the upstream proxy itself. */
export async function reachUpstream(
  rules: Rules,
  upstream: Upstream,
  network: Network,
  signal: AbortSignal,
): Promise<Socket> {
  try {
    const socket = await dial(rules, upstreamTarget(upstream), network, signal);
    return upstream.scheme === 'https' ? await secured(socket, upstream.host, network, signal) : socket;
  } catch (error) {
    if (error instanceof Gone) throw error;
    const { server } = describeUpstream(upstream);
    if (!(error instanceof Refused)) {
      throw new UpstreamFailed('PROXY_UNREACHABLE', `${server} cannot be reached: ${reasonOf(error)}`);
    }
    const advice = error.rule === 'private_address' ? '; `privateAccess` of the policy can allow it' : '';
    throw new UpstreamFailed(
      'PROXY_UNREACHABLE',
      `${server} may not be used as a proxy: ${error.rule} ${error.address}${advice}`,
      refusalOf(error, server, upstream),
    );
  }
}

const upstreamTarget = ({ host, port }: Upstream): Target => ({ scheme: 'tunnel', host, port });

/** TLS over a connection, with the certificate checked for the host. */
export async function secured(
  socket: Socket,
  host: string,
  { gate }: Pick<Network, 'gate'>,
  signal: AbortSignal,
): Promise<Socket> {
  const tls = connectTls({
    socket,
    // Not to connect to, which is done: for an address, the certificate is checked against this name.
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
  });
  tls.on('error', () => undefined);
  gate?.guard(tls);
  const ready = new Promise<void>((resolve, reject) => {
    tls.once('secureConnect', resolve).once('error', reject);
    tls.once('close', () => reject(new Error('closed during the TLS handshake')));
  });
  await orDestroyed(tls, ready, signal);
  return tls;
}

/** A handshake that fails or is given up leaves no socket behind. */
async function orDestroyed(socket: Socket, handshake: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = (): void => void socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await handshake;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What new settings say about an open connection: is it still the same way, and every part of it allowed? */
export function isStillAllowed(
  before: Settings,
  now: Settings,
  target: Target,
  remoteAddress: string | undefined,
): boolean {
  const upstream = upstreamFor(now, target.host);
  if (remoteAddress === undefined) return false;
  if (!isSameUpstream(upstreamFor(before, target.host), upstream)) return false;
  if (decideHost(now.rules, target) !== undefined) return false;
  if (upstream === undefined) return decideAddress(now.rules, target, remoteAddress) === undefined;
  const nearer = decideAddress(now.rules, upstreamTarget(upstream), remoteAddress);
  return nearer === undefined && decideUnresolved(now.rules, target) === undefined;
}
