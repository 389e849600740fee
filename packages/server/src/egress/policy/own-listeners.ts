/**
 * The service's own listeners and every browser's exit are closed to all browsers, whatever a policy says: through the
 * exit of another browser its policy would apply, and the API listener would be reached from inside. Compared after
 * name resolution, by address and port.
 */
import { networkInterfaces } from 'node:os';
import { type Address, addressesIn, kindOf, parseAddress } from './address.ts';

export interface Listener {
  host: string;
  port: number;
}

/** Ports on which exits of this process listen on the host's loopback. */
const exitPorts = new Set<number>();

/** Returns its off switch. */
export function claimExitPort(port: number): () => void {
  exitPorts.add(port);
  return () => exitPorts.delete(port);
}

const isUnspecified = (address: Address): boolean => address.range() === 'unspecified';
const isThisMachine = (address: Address): boolean => kindOf(address) === 'loopback' || isUnspecified(address);

function isLocal(address: Address): boolean {
  if (isThisMachine(address)) return true;
  const text = address.toString();
  const local = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return local.some((entry) => parseAddress(entry.address)?.toString() === text);
}

function reaches(address: Address, host: string): boolean {
  if (host === 'localhost') return isThisMachine(address);
  const bound = parseAddress(host);
  // Bound to all addresses, or to a name whose address only the listener knows.
  if (bound === undefined || isUnspecified(bound)) return isLocal(address);
  if (kindOf(bound) === 'loopback') return isThisMachine(address);
  return bound.toString() === address.toString();
}

export const isOwnPort = (port: number, own: Listener[]): boolean =>
  exitPorts.has(port) || own.some((listener) => listener.port === port);

export function isOwnListener(address: string, port: number, own: Listener[]): boolean {
  if (!isOwnPort(port, own)) return false;
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const hosts = own.filter((listener) => listener.port === port).map((listener) => listener.host);
  if (exitPorts.has(port)) hosts.push('localhost');
  return addressesIn(parsed).some((each) => hosts.some((host) => reaches(each, host)));
}
