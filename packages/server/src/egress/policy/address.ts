/**
 * What an IP address means, in whatever form it is written.
 *
 *   64:ff9b::7f00:1 ──addressesIn──> [64:ff9b::7f00:1, 127.0.0.1] ──kindOf──> public, loopback
 *
 * Public is what is proven public: for IPv4 all that no registry reserves, for IPv6 only 2000::/3 without its
 * special blocks, and the well-known NAT64 prefix (an IPv6-only network reaches every IPv4 site through it).
 * An IPv4 address inside an IPv6 one is judged as well, because a translator on the way would unwrap it.
 */
import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

export type Address = IPv4 | IPv6;
type AddressKind = 'public' | 'loopback' | 'metadata' | 'private';

export interface Cidr {
  network: Address;
  bits: number;
}

/** Cloud metadata and platform services: they hand credentials to any client. Not all lie in private ranges. */
const metadataAddresses = new Set([
  '169.254.169.254', // AWS, GCP, Azure, OpenStack and most others
  '169.254.170.2', // AWS ECS task credentials
  '169.254.170.23', // AWS EKS pod identity
  '169.254.0.23', // Tencent
  '169.254.42.42', // Scaleway
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure platform, in a public range
  '192.0.0.192', // Oracle
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS pod identity
  'fd20:ce::254', // GCP
  'fd00:42::42', // Scaleway
]);

const block = (text: string): [Address, number] => ipaddr.parseCIDR(text);
const globalUnicast = block('2000::/3');
const nat64 = block('64:ff9b::/96');
const embeddings: { within: [Address, number]; at: number[] }[] = [
  { within: block('::/96'), at: [12] }, // IPv4-compatible
  { within: block('::ffff:0:0:0/96'), at: [12] }, // IPv4-translated
  { within: nat64, at: [12] },
  { within: block('2002::/16'), at: [2] }, // 6to4
];
/** RFC 5214: an ISATAP host has its IPv4 address in the last half, whatever the network's prefix. */
const isatap = [
  [0x00, 0x00, 0x5e, 0xfe],
  [0x02, 0x00, 0x5e, 0xfe],
];
/** RFC 8215: local NAT64 may cut its /48 as /48, /56, /64 or /96; RFC 6052 skips octet 8. */
const localNat64 = block('64:ff9b:1::/48');
const teredo = block('2001::/32');

const v4 = (bytes: (number | undefined)[]): IPv4 => new ipaddr.IPv4(bytes.map((byte) => byte ?? 0));
const matches = (address: Address, [network, bits]: [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

/** Strict: only what the operating system would dial as an address. IPv4-mapped becomes IPv4, a zone is dropped. */
export function parseAddress(text: string): Address | undefined {
  if (isIP(text) === 0) return undefined;
  const address = ipaddr.parse(text.replace(/%.*$/, ''));
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** The address itself and every IPv4 address hidden in it. */
export function addressesIn(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address];
  const bytes = address.toByteArray();
  const four = (at: number): IPv4 => v4(bytes.slice(at, at + 4));
  const found: Address[] = [address];
  if (address.range() === 'loopback' || address.range() === 'unspecified') return found;
  for (const { within, at } of embeddings) if (matches(address, within)) found.push(...at.map(four));
  if (isatap.some((marks) => marks.every((mark, i) => bytes[8 + i] === mark))) found.push(four(12));
  if (matches(address, localNat64)) {
    found.push(v4([bytes[6], bytes[7], bytes[9], bytes[10]]));
    found.push(v4([bytes[7], bytes[9], bytes[10], bytes[11]]));
    found.push(v4([bytes[9], bytes[10], bytes[11], bytes[12]]));
    found.push(four(12));
  }
  if (matches(address, teredo)) found.push(four(4), v4(bytes.slice(12).map((byte) => byte ^ 0xff)));
  return found;
}

/** Of no private network: sites may have it as well. */
export function isPublic(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && kindOf(address) === 'public';
}

export function kindOf(face: Address): AddressKind {
  if (metadataAddresses.has(face.toString())) return 'metadata';
  const range = face.range();
  if (range === 'loopback') return 'loopback';
  if (face.kind() === 'ipv4') return range === 'unicast' ? 'public' : 'private';
  if (matches(face, nat64)) return 'public';
  return range === 'unicast' && matches(face, globalUnicast) ? 'public' : 'private';
}

/** `10.1.2.3/8` → 10.0.0.0/8; a bare address is a range of one. */
export function parseCidr(text: string): Cidr | undefined {
  const [, base, size] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (base === undefined || isIP(base) === 0) return undefined;
  const written = ipaddr.parse(base);
  const width = written.kind() === 'ipv4' ? 32 : 128;
  const bits = size === undefined ? width : Number(size);
  if (bits > width) return undefined;
  const masked = mask(written, bits);
  const mapped = masked instanceof ipaddr.IPv6 && bits >= 96 && masked.isIPv4MappedAddress();
  return mapped ? { network: masked.toIPv4Address(), bits: bits - 96 } : { network: masked, bits };
}

function mask(address: Address, bits: number): Address {
  const bytes = address.toByteArray();
  const kept = bytes.map((byte, i) => byte & (0xff << Math.min(8, Math.max(0, 8 * (i + 1) - bits))) & 0xff);
  return ipaddr.fromByteArray(kept);
}

export const formatCidr = ({ network, bits }: Cidr): string => `${network.toString()}/${bits}`;

export const inCidr = (face: Address, { network, bits }: Cidr): boolean => matches(face, [network, bits]);
