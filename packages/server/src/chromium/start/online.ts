/**
 * Why pages in a box find themselves online. Chromium asks the kernel over netlink which interfaces are up and takes a lone
 * loopback for being offline: `navigator.onLine` would be false in every box, and pages would tell their user to look for
 * a network. Where there is no netlink to ask, Chromium takes itself to be online, which through its exit it is.
 *
 * So the box has none: a filter refuses sockets of the routing family. No interface, address or route has to be made for
 * it, and a Chromium that was taken over has one part of the kernel less to try.
 */
import { type Architecture, assembleFilter, filterStep } from '../../process/process.ts';

const socketCall: Record<Architecture, number> = { x64: 41, arm64: 198 };
const netlink = 16; // AF_NETLINK
const routing = 0; // NETLINK_ROUTE
const familyNotSupported = 97; // EAFNOSUPPORT

const { argument, ifEqual } = filterStep;

/** The program that bubblewrap is given; undefined on machines that are not known: there pages are offline. */
export function onlineFilter(arch: string = process.arch): Buffer | undefined {
  if (!(arch in socketCall)) return undefined;
  const known = arch as Architecture;
  return assembleFilter([
    ...[filterStep.architecture, filterStep.ifArchitecture(known, 0, 7)],
    ...[filterStep.callNumber, ifEqual(socketCall[known], 0, 5)],
    ...[argument(0), ifEqual(netlink, 0, 3)],
    ...[argument(2), ifEqual(routing, 0, 1)],
    filterStep.fail(familyNotSupported),
    filterStep.allow,
  ]);
}
