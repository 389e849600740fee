/**
 * Why pages in a box find themselves online. Chromium asks the kernel over netlink which interfaces are up and takes a lone
 * loopback for being offline: `navigator.onLine` would be false in every box, and pages would tell their user to look for
 * a network. Where there is no netlink to ask, Chromium takes itself to be online, which through its exit it is.
 *
 * So the box has none: a seccomp filter refuses sockets of the routing family. No interface, address or route has to be
 * made for it, and a Chromium that was taken over has one part of the kernel less to try.
 */
import { existsSync } from 'node:fs';

/** By `process.arch`: the kernel's name for it, and its number for the call `socket`. */
const machines: Record<string, { audit: number; socket: number }> = {
  x64: { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
};

const family = { netlink: 16, route: 0 };
const notSupported = 97;

/** Where `struct seccomp_data` has them. */
const at = { call: 0, machine: 4, first: 16, third: 32 };
const load = (place: number): number[] => [0x20, 0, 0, place];
/** Goes on when equal; otherwise to the last instruction, which is so many further. */
const only = (value: number, toLast: number): number[] => [0x15, 0, toLast, value];
const answer = (value: number): number[] => [0x06, 0, 0, value];

/** The program that bubblewrap is given; undefined where it would be wrong or the kernel takes none. */
export function onlineFilter(
  arch: string = process.arch,
  takesFilters: boolean = existsSync('/proc/sys/kernel/seccomp/actions_avail'),
): Buffer | undefined {
  const machine = machines[arch];
  if (!machine || !takesFilters) return undefined;
  const program = [
    ...[load(at.machine), only(machine.audit, 7)],
    ...[load(at.call), only(machine.socket, 5)],
    ...[load(at.first), only(family.netlink, 3)],
    ...[load(at.third), only(family.route, 1)],
    answer(0x00050000 | notSupported),
    answer(0x7fff0000),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code = 0, yes = 0, no = 0, value = 0], i) => {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(yes, i * 8 + 2);
    bytes.writeUInt8(no, i * 8 + 3);
    bytes.writeUInt32LE(value, i * 8 + 4);
  });
  return bytes;
}
