/** How well this machine can isolate a Chromium, found out once at start. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupError } from '../kit/setup-error.ts';
import { boxProbe } from './box-walls.ts';

export interface Isolation {
  mode: 'strict' | 'process';
  /** Path of bubblewrap in strict mode. */
  bwrap?: string;
  /** The user Chromium runs as, when the service was started as root. */
  user?: { uid: number; gid: number };
  /** Why it is not strict, or what was found. */
  detail: string;
}

export class IsolationError extends SetupError {}

function findOnPath(name: string, path: string): string | undefined {
  for (const folder of [...path.split(delimiter), '/usr/bin', '/usr/local/bin']) {
    const candidate = join(folder || '.', name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // look further
    }
  }
  return undefined;
}

export async function probeIsolation(options: {
  wanted: 'auto' | 'strict' | 'process';
  path: string;
  /** `uid:gid`, for when the service was started as root. */
  runAs: string;
}): Promise<Isolation> {
  const user = process.getuid?.() === 0 ? userOf(options.runAs) : undefined;
  if (options.wanted === 'process')
    return { mode: 'process', user, detail: 'asked for by BROWSERD_ISOLATION' };
  const missing = async (): Promise<Isolation | string> => {
    if (process.platform !== 'linux') return 'strict isolation needs Linux';
    const bwrap = findOnPath('bwrap', options.path);
    if (!bwrap) return 'bubblewrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)';
    try {
      const [command = '', ...args] = boxProbe(bwrap);
      await promisify(execFile)(command, args, { ...user, timeout: 10_000, env: {} });
      return { mode: 'strict', bwrap, user, detail: `bubblewrap at ${bwrap}` };
    } catch (error) {
      const said = String((error as { stderr?: string }).stderr ?? error).trim();
      return `bubblewrap cannot build the box: ${said}. User namespaces may be turned off (see SECURITY.md)`;
    }
  };
  const found = await missing();
  if (typeof found !== 'string') return found;
  if (options.wanted === 'strict')
    throw new IsolationError(`BROWSERD_ISOLATION is strict, but ${found}. Mend that, or set it to process.`);
  return { mode: 'process', user, detail: found };
}

function userOf(runAs: string): { uid: number; gid: number } {
  const [uid = 65534, gid = 65534] = runAs.split(':').map(Number);
  return { uid, gid };
}

/**
 * A browser in a box reaches the network only through its exit, which a node can shut. One that is in none could go on while
 * another node has taken its place.
 */
export function refuseUnboxed(clusterAddress: string | null, isolation: Isolation): void {
  if (clusterAddress === null || isolation.mode === 'strict') return;
  throw new IsolationError(
    `BROWSERD_CLUSTER_ADDRESS is set, but browsers cannot be isolated strictly here: ${isolation.detail}. A node of a cluster must be able to cut its browsers off the network. Mend that (see SECURITY.md), or let the service work alone.`,
  );
}

const loopback = /^(127\.|localhost$|::1$|\[::1\]$)/;

/** Without boxes only this machine may reach the service. */
export function refuseOpenBind(host: string, isolation: Isolation): void {
  if (isolation.mode === 'strict' || loopback.test(host)) return;
  throw new IsolationError(
    `BROWSERD_HOST is ${host}, which others can reach, but browsers cannot be isolated strictly here: ` +
      `${isolation.detail}. Mend that (see SECURITY.md), or listen on 127.0.0.1.`,
  );
}
