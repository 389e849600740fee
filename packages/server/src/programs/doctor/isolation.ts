/** Switches of Linux that forbid boxes, the value that does, and what to do about it. See SECURITY.md. */
import { readFileSync } from 'node:fs';
import type { Config } from '../../config.ts';
import { type Isolation, IsolationError, probeIsolation, refuseOpenBind } from '../../process/process.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const switches: [file: string, forbids: string, fix: string][] = [
  ['kernel/unprivileged_userns_clone', '0', 'sysctl kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl user.max_user_namespaces=10000'],
  [
    'kernel/apparmor_restrict_unprivileged_userns',
    '1',
    'sysctl kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile for bwrap',
  ],
];

function readSwitch(file: string): string | undefined {
  try {
    return readFileSync(`/proc/sys/${file}`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

export function fixFor(detail: string, read = readSwitch): string {
  if (detail.includes('asked for')) return 'Set BROWSERD_ISOLATION to auto or strict.';
  if (detail.includes('needs Linux')) return 'Run it on Linux, or in a Linux virtual machine.';
  if (detail.includes('not installed'))
    return 'Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap).';
  const closed = switches.find(([file, forbids]) => read(file) === forbids);
  return (
    closed?.[2] ?? 'Allow user namespaces; in Docker, with the options in compose.yaml (see SECURITY.md).'
  );
}

export async function checkIsolation(
  config: Config,
  path: string,
): Promise<{ findings: Finding[]; isolation?: Isolation }> {
  const sandbox =
    config.sandbox === 'on'
      ? []
      : [warn('sandbox', 'BROWSERD_SANDBOX is off: pages can attack the machine', 'Unset BROWSERD_SANDBOX.')];
  try {
    const isolation = await probeIsolation({ wanted: config.isolation, path, runAs: config.runAs });
    refuseOpenBind(config.host, isolation);
    const { mode, detail } = isolation;
    const finding =
      mode === 'strict'
        ? ok('isolation', `strict: ${detail}`)
        : warn('isolation', `${mode} only: ${detail}`, fixFor(detail));
    return { findings: [finding, ...sandbox], isolation };
  } catch (error) {
    if (!(error instanceof IsolationError)) throw error;
    return { findings: [fail('isolation', error.message, fixFor(error.message)), ...sandbox] };
  }
}
