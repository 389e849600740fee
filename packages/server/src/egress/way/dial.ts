/**
 * From a name to a connected socket, with no second name resolution in between:
 *
 *   resolve once ──> check every address (one forbidden: all refused) ──> connect to exactly those addresses
 *
 * Several addresses are tried as browsers do (RFC 8305): the next one starts when one failed or is slow.
 */
import { connect, isIPv6, type Socket } from 'node:net';
import { orAborted } from '../../kit/or-aborted.ts';
import { decideAddress, isAddress, isLocalhost, type Rules, type Target } from '../policy/policy.ts';
import { Refused, reasonOf, Unreachable } from './failures.ts';
import type { Gate } from './gate.ts';
import type { Resolve } from './names.ts';
import { dialError, tellingError } from './net-error.ts';

export interface Network {
  resolve: Resolve;
  isOwn: (address: string, port: number) => boolean;
  isOwnPort: (port: number) => boolean;
  /** Every socket that is opened, at once, so that none is ever lost. */
  track: (socket: Socket) => void;
  /** Absent: this node is alone, and nothing ever keeps it from acting. */
  gate?: Gate | undefined;
}

const staggerMs = 250;
const triedMost = 8;

export async function dial(
  rules: Rules,
  target: Target,
  network: Network,
  signal: AbortSignal,
): Promise<Socket> {
  // A question to a name server leaves the machine as well.
  await network.gate?.passage(signal);
  const addresses = await checkedAddresses(rules, target, network, signal);
  return connectFirst(interleave(addresses).slice(0, triedMost), target.port, network, signal);
}

async function checkedAddresses(
  rules: Rules,
  target: Target,
  network: Network,
  signal: AbortSignal,
): Promise<string[]> {
  const check = (address: string): Refused | undefined => {
    const rule = network.isOwn(address, target.port) ? 'own_listener' : decideAddress(rules, target, address);
    return rule && new Refused(rule, address);
  };
  if (isLocalhost(target.host)) {
    // These two are not the answer of a name server, so one may be refused without the other.
    const verdicts = ['127.0.0.1', '::1'].map((address) => ({ address, refused: check(address) }));
    const open = verdicts.filter(({ refused }) => refused === undefined).map(({ address }) => address);
    if (open.length === 0) throw verdicts[0]!.refused;
    return open;
  }
  const addresses = isAddress(target.host)
    ? [target.host]
    : await resolveName(target.host, network.resolve, signal);
  for (const address of addresses) {
    const refused = check(address);
    if (refused !== undefined) throw refused;
  }
  return addresses;
}

async function resolveName(host: string, resolve: Resolve, signal: AbortSignal): Promise<string[]> {
  const answer = resolve(host).catch((error: unknown) => {
    throw new Unreachable('dns', `no address for ${host} (${reasonOf(error)})`);
  });
  const addresses = [...new Set(await orAborted(answer, signal))];
  if (addresses.length === 0) throw new Unreachable('dns', `no address for ${host}`);
  return addresses;
}

/** The resolver's first choice first, then the families in turn. */
function interleave(addresses: string[]): string[] {
  const firstIsV6 = isIPv6(addresses[0] ?? '');
  const same = addresses.filter((address) => isIPv6(address) === firstIsV6);
  const other = addresses.filter((address) => isIPv6(address) !== firstIsV6);
  return same
    .flatMap((address, i) => (other[i] === undefined ? [address] : [address, other[i]]))
    .concat(other.slice(same.length));
}

function unconnected(errors: Error[]): Unreachable {
  const error = tellingError(errors);
  return new Unreachable('connect', `no connection (${reasonOf(error)})`, dialError(error));
}

function connectFirst(
  addresses: string[],
  port: number,
  { track, gate }: Network,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const trying = new Set<Socket>();
    const errors: Error[] = [];
    let next = 0;
    let timer: NodeJS.Timeout | undefined;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      for (const socket of trying) socket.destroy();
      settle();
    };
    const stop = (): void => finish(() => reject(signal.reason));
    const attempt = (): void => {
      clearTimeout(timer);
      if (gate?.isOpen() === false) {
        timer = setTimeout(attempt, staggerMs);
        return;
      }
      const host = addresses[next++];
      if (host === undefined) return;
      const socket = connect({
        host,
        port,
        allowHalfOpen: true,
        noDelay: true,
        keepAlive: true,
        keepAliveInitialDelay: 30_000,
      });
      track(socket);
      trying.add(socket);
      socket.once('connect', () => {
        trying.delete(socket);
        finish(() => resolve(socket));
      });
      socket.once('error', (error) => {
        if (!trying.delete(socket)) return;
        errors.push(error);
        if (next < addresses.length) attempt();
        else if (trying.size === 0) finish(() => reject(unconnected(errors)));
      });
      timer = setTimeout(attempt, staggerMs);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else attempt();
  });
}
