/**
 * Box A: what one Chromium sees of the machine.
 *
 *   own user, pid, network, ipc and host name · system libraries and fonts, read-only · its profile · its exchange
 *   nothing else: no home, no other profile, no socket of the machine, no network but a lone loopback (see online.ts)
 *
 * The network's one exit is a listener on that loopback. A short-lived helper inside the box opens it
 * and passes the socket out to the service, which then accepts on it (the egress proxy). The helper is
 * our own Node binary, run through an inherited descriptor so that it need not be visible in the box. It listens on all
 * of 127.0.0.0/8, so that contexts of one Chromium can be told apart by the address they dial.
 */
import { dirname, join } from 'node:path';
import { memoryFolder, systemView, wallsOf } from '../../process/process.ts';

export const boxedProxyPort = 3128;
export const boxedProfileDir = '/profile';
/** Fonts beside those of the machine. */
const boxedFonts = '/fonts';
/** Files lent to pages, and where downloads go. */
export const boxedExchange = { uploads: '/uploads', downloads: '/downloads' } as const;

/** Descriptors beyond 0–2 as the boxed shell finds them: CDP in and out, Node's channel, the Node binary. */
export const boxDescriptors = { cdpIn: 3, cdpOut: 4, channel: 5, node: 6 } as const;
/** Read by bubblewrap itself: the filter of online.ts. */
export const filterDescriptor = 7;

/** The helper. It is sent as its source, so it can use nothing of this file. */
function listen(port: number): void {
  const server = process.getBuiltinModule('node:net').createServer();
  server.listen(port, '0.0.0.0', 512, () => process.send?.(0, server, () => process.exit()));
}
const openExit = `(${listen})(${boxedProxyPort})`;

/** Starts the helper beside Chromium, not before it: the exit is open long before the first page asks. */
const startScript = [
  'ulimit -c 0',
  `/proc/self/fd/${boxDescriptors.node} -e "$OPEN_EXIT" 3<&- 4>&- &`,
  `exec ${boxDescriptors.channel}>&- ${boxDescriptors.node}<&-`,
  'unset NODE_CHANNEL_FD OPEN_EXIT',
  'exec "$@"',
].join('\n');

export interface FontsForChromium {
  folder: string;
  /** Of the file in it that says which fonts there are. */
  configuration: string;
}

export interface BoxOptions {
  bwrap: string;
  binary: string;
  profileDir: string;
  exchange?: { uploads: string; downloads: string };
  fonts?: FontsForChromium | undefined;
  /** Whether a filter for system calls waits at its descriptor. */
  filtered: boolean;
}

export function boxCommand(options: BoxOptions, flags: readonly string[]): string[] {
  const binaryDir = dirname(options.binary);
  return [
    options.bwrap,
    ...wallsOf('browser'),
    ...(options.filtered ? ['--seccomp', String(filterDescriptor)] : []),
    ...['--chdir', '/', ...systemView],
    ...memoryFolder('/dev/shm', 1024 ** 3),
    ...memoryFolder('/tmp', 256 * 1024 ** 2),
    ...(binaryDir.startsWith('/usr/') ? [] : ['--ro-bind', binaryDir, binaryDir]),
    ...['--bind', options.profileDir, boxedProfileDir],
    ...(options.exchange
      ? [
          ...['--ro-bind', options.exchange.uploads, boxedExchange.uploads],
          ...['--bind', options.exchange.downloads, boxedExchange.downloads],
        ]
      : []),
    ...(options.fonts ? ['--ro-bind', options.fonts.folder, boxedFonts] : []),
    // What is left of the root is a file system in memory without a limit of its own.
    ...['--remount-ro', '/'],
    ...['--setenv', 'HOME', boxedProfileDir, '--setenv', 'TMPDIR', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
    ...(options.fonts ? ['--setenv', 'FONTCONFIG_FILE', join(boxedFonts, options.fonts.configuration)] : []),
    ...['--setenv', 'NODE_CHANNEL_FD', String(boxDescriptors.channel), '--setenv', 'OPEN_EXIT', openExit],
    ...['--', '/bin/sh', '-c', startScript, 'chromium', options.binary, ...flags],
  ];
}
