/**
 * The walls of every box, as flags of bubblewrap: namespaces of its own, no environment, and an end together with the
 * service. What a box shows of the machine is decided by the room that builds it.
 */
import { existsSync, lstatSync, readlinkSync } from 'node:fs';

/** `name` is the host name that is seen inside. */
export const wallsOf = (name: string): string[] => [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts'],
  ...['--unshare-cgroup-try', '--die-with-parent', '--hostname', name, '--clearenv'],
];

/** A folder in memory with a limit of its own; without one it could use all memory of the machine. */
export const memoryFolder = (path: string, bytes: number, mode = '1777'): string[] => [
  ...['--perms', mode, '--size', String(bytes), '--tmpfs', path],
];

const systemFiles = [
  '/etc/alternatives',
  '/etc/chromium',
  '/etc/fonts',
  '/etc/group',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/nsswitch.conf',
  '/etc/passwd',
  '/etc/ssl/certs',
  '/usr/share/ca-certificates',
  '/var/cache/fontconfig',
];

const rootEntries = ['/bin', '/lib', '/lib32', '/lib64', '/sbin'];

/** On most systems /lib and friends point into /usr; elsewhere they are folders of their own. */
function rootEntry(path: string): string[] {
  if (!existsSync(path)) return [];
  return lstatSync(path).isSymbolicLink()
    ? ['--symlink', readlinkSync(path), path]
    : ['--ro-bind', path, path];
}

/** System libraries, fonts and certificates, read-only, with the usual devices. */
export const systemView = [
  ...['--ro-bind', '/usr', '/usr', ...rootEntries.flatMap(rootEntry)],
  ...systemFiles.flatMap((path) => ['--ro-bind-try', path, path]),
  ...['--proc', '/proc', '--dev', '/dev'],
];

/** A box around nothing: shows whether this machine can build one at all. */
export const boxProbe = (bwrap: string): string[] => [
  bwrap,
  ...wallsOf('probe'),
  ...systemView,
  ...memoryFolder('/tmp', 1024 ** 2),
  ...['--', '/bin/true'],
];
