/**
 * The private side of a policy: which addresses that are not public it opens, and on which ports. The same shape says what
 * a caller asks for and how far the operator lets any caller go (the ceiling); an address needs both.
 */
import { type Address, type Cidr, inCidr, parseAddress, parseCidr } from './address.ts';
import { HostSet, isLocalhost } from './host.ts';

export interface PrivateAccess {
  domains?: readonly string[];
  cidrs?: readonly string[];
  localhost?: boolean;
  /** Of well-known services, which are closed otherwise. */
  ports?: readonly number[];
}

/** Made ready for quick answers. */
export interface PrivateReach {
  domains: HostSet;
  cidrs: readonly Cidr[];
  ports: ReadonlySet<number>;
}

const loopback = ['127.0.0.0/8', '::1/128'].map((text) => parseCidr(text)!);

/**
 * Remote shells, mail, directories, file shares, databases, queues and the control ports of clusters. On a private address
 * they trust every client that gets that far, and much of what they take can be written as an HTTP request.
 */
const servicePorts = new Set([
  ...[19, 21, 22, 23, 25, 53, 69, 110, 111, 135, 137, 138, 139, 143, 161, 389, 445, 465, 512, 513, 514, 515],
  ...[548, 587, 636, 873, 993, 995, 1433, 1434, 1521, 2049, 2181, 2375, 2376, 2379, 2380, 3268],
  ...[3306, 3389, 4222, 4369, 5222, 5432, 5433, 5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6443, 6514],
  ...[7199, 7473, 7474, 7687, 8086, 8500, 9042, 9092, 9160, 9200, 9300, 10250, 10255, 11211],
  ...[15672, 16379, 26257, 26379, 27017, 27018, 27019, 28015, 33060, 61616],
]);

export function reachOf(access: PrivateAccess | false | undefined): PrivateReach {
  const { domains = [], cidrs = [], localhost = false, ports = [] } = access || {};
  return {
    domains: new HostSet(domains),
    cidrs: [...cidrs.map((text) => parseCidr(text)!), ...(localhost ? loopback : [])],
    ports: new Set(ports),
  };
}

export const reaches = ({ domains, cidrs }: PrivateReach, host: string, address: Address): boolean =>
  domains.covers(host) || cidrs.some((cidr) => inCidr(address, cidr));

export const isServicePort = ({ ports }: PrivateReach, port: number): boolean =>
  servicePorts.has(port) && !ports.has(port);

/** The first entry that the ceiling can never let through, as the path to it. */
export function entryAbove(ceiling: PrivateReach, access: PrivateAccess): (string | number)[] | undefined {
  const within = (cidr: Cidr): boolean =>
    ceiling.cidrs.some((wider) => wider.bits <= cidr.bits && inCidr(cidr.network, wider));
  if (access.localhost && !loopback.every(within)) return ['localhost'];
  const cidr = (access.cidrs ?? []).findIndex((text) => !within(parseCidr(text)!));
  if (cidr >= 0) return ['cidrs', cidr];
  const domain = (access.domains ?? []).findIndex((host) => !mayName(ceiling, host));
  return domain >= 0 ? ['domains', domain] : undefined;
}

/** What a name leads to is known only when it is dialled, and then each address is held against the ceiling. */
function mayName(ceiling: PrivateReach, host: string): boolean {
  const address = parseAddress(host);
  if (address) return reaches(ceiling, host, address);
  if (ceiling.domains.covers(host)) return true;
  const loops = (cidr: Cidr): boolean => loopback.some((own) => inCidr(cidr.network, own));
  return ceiling.cidrs.some((cidr) => isLocalhost(host) || !loops(cidr));
}
