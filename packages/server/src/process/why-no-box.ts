/**
 * Why boxes cannot be built here, and the one thing to change. Most often a container forbids it, in up to three ways at
 * once; an operator who is told of one after another starts the container three times, so all that can be seen are named.
 */
import { existsSync, readFileSync } from 'node:fs';

/** What the machine shows of itself. */
export interface Surroundings {
  /** Undefined where there is no such file. */
  read(path: string): string | undefined;
  exists(path: string): boolean;
}

const here: Surroundings = {
  read(path) {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return undefined;
    }
  },
  exists: existsSync,
};

type Container = 'Docker' | 'Podman' | 'Kubernetes';

function containerOf({ read, exists }: Surroundings): Container | undefined {
  if (read('/etc/hosts')?.includes('Kubernetes-managed')) return 'Kubernetes';
  if (exists('/run/.containerenv')) return 'Podman';
  return exists('/.dockerenv') ? 'Docker' : undefined;
}

/** Switches of the whole machine that forbid namespaces: the file, the value that does, and what to run. */
const switches: readonly [file: string, forbids: string, command: string][] = [
  ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  ['/proc/sys/user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=10000'],
  [
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap',
  ],
];

interface Obstacle {
  isThere(said: string, look: Surroundings): boolean;
  flags: Record<Container, string>;
}

const isConfined = ({ read }: Surroundings): boolean =>
  !/^(unconfined|browserd|)( |$)/.test(read('/proc/self/attr/current')?.replaceAll('\0', '') ?? '');

/** Empty folders that the kernel itself mounts there, which are in no box's way. */
const harmless = /^\/proc\/(sys\/fs\/binfmt_misc|fs\/nfsd)$/;

/** A box may mount a /proc of its own only where the whole of one can be seen. */
const hidesProc = ({ read }: Surroundings): boolean =>
  (read('/proc/self/mountinfo') ?? '')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .some((place) => place.startsWith('/proc/') && !harmless.test(place));

const obstacles: readonly Obstacle[] = [
  {
    // Namespaces were made when only the mount of /proc failed.
    isThere: (said, { read }) =>
      /^Seccomp:\s+2$/m.test(read('/proc/self/status') ?? '') && !/mount proc|permission denied/i.test(said),
    flags: {
      Docker: '--security-opt seccomp=deploy/profiles/seccomp.json',
      Podman: '--security-opt seccomp=deploy/profiles/seccomp.json',
      Kubernetes:
        'securityContext.seccompProfile: {type: Localhost, localhostProfile: browserd/seccomp.json}',
    },
  },
  {
    isThere: (_, look) => isConfined(look),
    flags: {
      Docker: '--security-opt apparmor=browserd (after loading deploy/profiles/apparmor)',
      Podman: '--security-opt apparmor=browserd (after loading deploy/profiles/apparmor)',
      Kubernetes: 'securityContext.appArmorProfile: {type: Localhost, localhostProfile: browserd}',
    },
  },
  {
    isThere: (_, look) => hidesProc(look),
    flags: {
      Docker: '--security-opt systempaths=unconfined',
      Podman: '--security-opt unmask=ALL',
      Kubernetes: 'securityContext.procMount: Unmasked, and hostUsers: false in the pod',
    },
  },
];

const weaker =
  'Where the platform allows none of this, BROWSERD_ISOLATION=one-project serves a single project without boxes, which is weaker: see SECURITY.md.';

/** `said` is what bubblewrap printed. */
export function howToAllowBoxes(said: string, look = here): string {
  const closed = switches.find(([file, forbids]) => look.read(file) === forbids);
  if (closed) return `On the host, run: ${closed[2]}. ${weaker}`;
  const container = containerOf(look);
  const found = obstacles.filter(({ isThere }) => isThere(said, look));
  if (container && found.length > 0) {
    const flags = found.map(({ flags: each }) => each[container]);
    return container === 'Kubernetes'
      ? `The container lacks: ${flags.join('; ')} (deploy/kubernetes has them). ${weaker}`
      : `Start the container with ${flags.join(' ')}. ${weaker}`;
  }
  return `Allow user namespaces (see SECURITY.md). ${weaker}`;
}
