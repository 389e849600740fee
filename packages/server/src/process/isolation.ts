/** How well this machine can isolate a Chromium, found out once at start. */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupError } from '../kit/setup-error.ts';
import { boxProbe } from './box-walls.ts';
import { howToAllowBoxes } from './why-no-box.ts';

export interface Isolation {
  mode: 'strict' | 'process';
  /** Path of bubblewrap in strict mode. */
  bwrap?: string;
  /** The user Chromium runs as, when the service was started as root. */
  user?: { uid: number; gid: number };
  /** Why it is not strict, or what was found. */
  detail: string;
  /** What would make it strict. */
  mend?: string;
  /** Without boxes the service is for a single project; whose keys it takes, and where it listens, follow from that. */
  oneProject?: true;
}

/** `mend`: what to do about it, which the message says too. */
export class IsolationError extends SetupError {
  readonly mend: string;

  constructor(reason: string, mend: string) {
    super(`${reason} ${mend}`);
    this.mend = mend;
  }
}

interface Missing {
  detail: string;
  mend: string;
}

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
  wanted: 'auto' | 'strict' | 'process' | 'one-project';
  path: string;
  /** `uid:gid`, for when the service was started as root. */
  runAs: string;
}): Promise<Isolation> {
  const user = process.getuid?.() === 0 ? userOf(options.runAs) : undefined;
  if (options.wanted === 'process')
    return {
      mode: 'process',
      user,
      detail: 'asked for by BROWSERD_ISOLATION',
      mend: 'Set BROWSERD_ISOLATION to auto or strict.',
    };
  const found = await tryBox(options.path, user);
  if ('bwrap' in found) return { mode: 'strict', ...found, user, detail: `bubblewrap at ${found.bwrap}` };
  if (options.wanted === 'strict')
    throw new IsolationError(`BROWSERD_ISOLATION is strict, but ${found.detail}.`, found.mend);
  return { mode: 'process', user, ...found, ...(options.wanted === 'one-project' && { oneProject: true }) };
}

async function tryBox(path: string, user: Isolation['user']): Promise<{ bwrap: string } | Missing> {
  if (process.platform !== 'linux')
    return {
      detail: 'strict isolation needs Linux',
      mend: 'Run it on Linux, or in a Linux virtual machine.',
    };
  const bwrap = findOnPath('bwrap', path);
  if (!bwrap)
    return {
      detail: 'bubblewrap is not installed',
      mend: 'Install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap).',
    };
  try {
    const [command = '', ...args] = boxProbe(bwrap);
    await promisify(execFile)(command, args, { ...user, timeout: 10_000, env: {} });
    return { bwrap };
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr || error).trim();
    return { detail: `bubblewrap cannot build the box: ${said}`, mend: howToAllowBoxes(said) };
  }
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
    `BROWSERD_CLUSTER_ADDRESS is set, but browsers cannot be isolated strictly here: ${isolation.detail}. A node of a cluster must be able to cut its browsers off the network.`,
    `${isolation.mend ?? ''} Or let the service work alone.`,
  );
}

const loopback = /^(127\.|localhost$|::1$|\[::1\]$)/;

/** Without boxes only this machine may reach the service, unless the operator keeps it for one project. */
export function refuseOpenBind(host: string, { mode, detail, mend = '', oneProject }: Isolation): void {
  if (mode === 'strict' || oneProject || loopback.test(host)) return;
  throw new IsolationError(
    `BROWSERD_HOST is ${host}, which others can reach, but browsers cannot be isolated strictly here: ${detail}.`,
    `${mend} Or listen on 127.0.0.1.`,
  );
}
