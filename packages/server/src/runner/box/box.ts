/**
 * Box B: what a runner sees of the machine.
 *
 *   the files Node itself is linked with, and the toolbox · read-only        64 MiB of /tmp in memory
 *   own user, pid, ipc, host name and network namespace (with no interface in it) · a system call filter
 *   nothing else: no shell, no program, no home, no device but null and urandom, no environment
 *
 * The Node binary is run through an inherited descriptor: it may lie where the box's user cannot go.
 */
import { join } from 'node:path';
import { memoryFolder, wallsOf } from '../../process/process.ts';
import { descriptors } from '../wire/wire.ts';

export { type Architecture, seccompProgram } from './seccomp.ts';

export interface RunnerLimits {
  /** V8's heap. */
  heapMb: number;
  /** All private memory: V8's flag does not count buffers. Node does not start with less than 700. */
  memoryMb: number;
}

export interface BoxOptions {
  /** Absent: no box, only Node's own permissions. */
  bwrap?: string;
  /** The toolbox outside. */
  toolbox: string;
  /** The runner's folder for temporary files where there is no box. */
  folder: string;
  limits: RunnerLimits;
  /** Start from the snapshot in the toolbox; otherwise from the sources there. */
  fromSnapshot?: boolean;
}

const inside = { toolbox: '/app', tmp: '/tmp' };
/** In the toolbox. */
export const snapshotName = 'runner.snapshot';
const tmpBytes = 64 * 1024 ** 2;
const openFiles = 256;

/** Playwright asks at these whether it runs under Windows; refused, it would not load. */
const windowsProbes = ['/proc/sys/fs/binfmt_misc/WSLInterop', '/run/WSL'];

/** V8's own flags, which the snapshot and the compiled code beside the sources depend on. */
export const engineFlags = (limits: RunnerLimits): string[] => [
  `--max-old-space-size=${limits.heapMb}`,
  '--no-addons',
  '--disable-warning=ExperimentalWarning',
];

function nodeArguments(toolbox: string, tmp: string, { limits, fromSnapshot }: BoxOptions): string[] {
  return [
    ...engineFlags(limits),
    ...(fromSnapshot ? [`--snapshot-blob=${join(toolbox, snapshotName)}`] : []),
    '--experimental-vm-modules',
    '--disable-sigusr1',
    '--permission',
    ...[toolbox, tmp, ...windowsProbes].map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${tmp}`,
    join(toolbox, 'runner/child/child.js'),
    join(toolbox, 'playwright-core'),
  ];
}

/** Set outside the box, where there is a shell; they hold for what is started from it. The last line offers the runner first to a kernel short of memory. */
const limitScript = (limits: RunnerLimits): string =>
  [
    'ulimit -c 0',
    `ulimit -n ${openFiles}`,
    `ulimit -d ${limits.memoryMb * 1024} 2>/dev/null`,
    `ulimit -f ${tmpBytes / 512}`,
    'echo 800 2>/dev/null >/proc/self/oom_score_adj',
    'exec "$@"',
  ].join('\n');

let librariesFound: string[] | undefined;

/** The libraries this very Node runs on are those a runner needs. They stay the same, and to list them takes long. */
const librariesOfNode = (): string[] => {
  librariesFound ??= findLibraries();
  return librariesFound;
};

function findLibraries(): string[] {
  const report = process.report as typeof process.report & { excludeNetwork: boolean };
  // Otherwise it would look up the names of all its peers.
  report.excludeNetwork = true;
  const { sharedObjects } = report.getReport() as unknown as { sharedObjects: string[] };
  return sharedObjects.filter((path) => path.startsWith('/'));
}

const readOnly = (path: string): string[] => ['--ro-bind', path, path];

export function runnerCommand(options: BoxOptions): string[] {
  const { bwrap, toolbox, folder, limits } = options;
  const shell = ['/bin/sh', '-c', limitScript(limits), 'runner'];
  const nodeInside = `/proc/self/fd/${descriptors.node}`;
  const node = process.platform === 'linux' ? nodeInside : process.execPath;
  if (!bwrap) return [...shell, node, ...nodeArguments(toolbox, folder, options)];
  return [
    ...shell,
    bwrap,
    ...wallsOf('runner'),
    ...['--as-pid-1', '--cap-drop', 'ALL'],
    ...librariesOfNode().flatMap(readOnly),
    ...['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ...['--ro-bind', toolbox, inside.toolbox, '--proc', '/proc', '--dir', '/dev'],
    ...['/dev/null', '/dev/urandom'].flatMap((device) => ['--dev-bind', device, device]),
    ...memoryFolder(inside.tmp, tmpBytes, '0700'),
    ...['--chdir', inside.tmp],
    // bubblewrap's own root is a writable memory file system without a limit.
    ...['--remount-ro', '/'],
    ...Object.entries(runnerEnvironment(inside.tmp)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--seccomp', String(descriptors.seccomp), '--'],
    ...[nodeInside, ...nodeArguments(inside.toolbox, inside.tmp, options)],
  ];
}

export const runnerEnvironment = (tmp: string): Record<string, string> => ({
  HOME: tmp,
  TMPDIR: tmp,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  UV_USE_IO_URING: '0',
  UV_THREADPOOL_SIZE: '2',
});
