import { describe, expect, test } from 'vitest';
import { howToAllowBoxes } from './why-no-box.ts';

/** A machine that has these files and no others. */
const machine = (files: Record<string, string>) => ({
  read: (path: string) => files[path],
  exists: (path: string) => path in files,
});
const noNamespace = 'bwrap: No permissions to create new namespace';
const noProc = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted";
const filtered = { '/proc/self/status': 'NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t1' };
const confined = { '/proc/self/attr/current': 'docker-default (enforce)' };
const masked = {
  '/proc/self/mountinfo': '1 2 0:1 / / rw\n3 1 0:2 / /proc rw\n4 3 0:2 /bus /proc/bus ro\n',
};

describe('what an operator is told to change', () => {
  test('all flags that a container of Docker lacks, at once', () => {
    const look = machine({ '/.dockerenv': '', ...filtered, ...confined, ...masked });
    expect(howToAllowBoxes(noNamespace, look)).toContain(
      'Start the container with --security-opt seccomp=deploy/profiles/seccomp.json --security-opt apparmor=browserd (after loading deploy/profiles/apparmor) --security-opt systempaths=unconfined.',
    );
  });

  test('only the one that is left', () => {
    const look = machine({
      '/.dockerenv': '',
      ...filtered,
      ...masked,
      '/proc/self/attr/current': 'browserd (enforce)',
    });
    expect(howToAllowBoxes(noProc, look)).toContain(
      'Start the container with --security-opt systempaths=unconfined.',
    );
  });

  test('the words of Podman, and the fields of Kubernetes', () => {
    expect(howToAllowBoxes(noProc, machine({ '/run/.containerenv': '', ...masked }))).toContain(
      '--security-opt unmask=ALL',
    );
    const pod = machine({ '/etc/hosts': '# Kubernetes-managed hosts file.', ...filtered, ...masked });
    expect(howToAllowBoxes(noNamespace, pod)).toContain(
      'The container lacks: securityContext.seccompProfile: {type: Localhost, localhostProfile: browserd/seccomp.json}; securityContext.procMount: Unmasked, and hostUsers: false in the pod (deploy/kubernetes has them).',
    );
  });

  test.each([
    ['kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
    ['user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=10000'],
    [
      'kernel/apparmor_restrict_unprivileged_userns',
      '1',
      'sysctl kernel.apparmor_restrict_unprivileged_userns=0',
    ],
  ])('the switch %s of the host', (file, value, command) => {
    expect(howToAllowBoxes(noNamespace, machine({ [`/proc/sys/${file}`]: value }))).toContain(
      `On the host, run: ${command}`,
    );
  });

  test('what the kernel itself mounts below /proc is no obstacle', () => {
    const look = machine({
      '/.dockerenv': '',
      '/proc/self/mountinfo': '3 1 0:2 / /proc rw\n4 3 0:9 / /proc/sys/fs/binfmt_misc rw\n',
    });
    expect(howToAllowBoxes(noProc, look)).toContain('Allow user namespaces');
  });

  test('the weaker mode, as the last resort', () => {
    expect(howToAllowBoxes('', machine({}))).toContain('BROWSERD_ISOLATION=one-project');
  });
});
