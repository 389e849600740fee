/**
 * The operator's ceiling: how far into private networks callers of this service may let a browser go, all of them or those of
 * a named project. Left unset it is this machine for a service that only this machine reaches and that has one project;
 * otherwise nothing, because a member of one project would reach what belongs to another.
 *
 *   BROWSERD_PRIVATE_ACCESS=10.0.0.0/8,shop=localhost,guests=     shop: localhost, guests: nothing, others: 10.0.0.0/8
 */
import { SetupError } from '../../kit/setup-error.ts';
import { kindOf, parseAddress } from './address.ts';
import { isLocalhost, normalizeHost } from './host.ts';
import { PolicyError, privateAccessIn } from './normalize.ts';
import { type PrivateReach, reachOf } from './private-access.ts';

export interface Allowed {
  reach: PrivateReach;
  /** For the error that a caller gets. */
  words: string;
}

export interface Ceiling {
  /** As it was when last looked at, and nothing before that; exits ask when they are given a policy. */
  of(projectId: string): Allowed;
  /** What another process may have changed is read anew. */
  look(projectId: string): Promise<Allowed>;
}

export interface CeilingOptions {
  /** Null: by where the service listens and how many projects it has. */
  allowed: readonly string[] | null;
  host: string;
  countProjects(): Promise<number>;
  nameOf(projectId: string): Promise<string>;
}

const nothing: Allowed = { reach: reachOf(false), words: 'nothing private' };

export async function openCeiling({ allowed, ...options }: CeilingOptions): Promise<Ceiling> {
  if (!allowed) return byProjects(options);
  const [common, byName] = readSetting(allowed);
  if (byName.size === 0) return { of: () => common, look: () => Promise.resolve(common) };
  const seen = new Map<string, Allowed>();
  return {
    of: (projectId) => seen.get(projectId) ?? nothing,
    async look(projectId) {
      const known = seen.get(projectId) ?? byName.get(await options.nameOf(projectId)) ?? common;
      seen.set(projectId, known);
      return known;
    },
  };
}

async function byProjects({ host, countProjects }: Omit<CeilingOptions, 'allowed'>): Promise<Ceiling> {
  const open: Allowed = { reach: reachOf({ localhost: true }), words: 'localhost' };
  let now = nothing;
  const look = async (): Promise<Allowed> => {
    now = isLoopback(host) && (await countProjects()) <= 1 ? open : nothing;
    return now;
  };
  await look();
  return { of: () => now, look };
}

const project = /^([\w.-]{1,64})=(.*)$/;

/** What all projects may, and what those may that are named. */
function readSetting(entries: readonly string[]): [Allowed, Map<string, Allowed>] {
  const lists = new Map<string, string[]>([['', []]]);
  for (const entry of entries) {
    const [, name = '', own = entry] = project.exec(entry) ?? [];
    const list = lists.get(name) ?? [];
    lists.set(name, own === '' ? list : [...list, own.trim()]);
  }
  const read = new Map([...lists].map(([name, list]) => [name, allowedBy(list)]));
  const common = read.get('') ?? nothing;
  read.delete('');
  return [common, read];
}

function allowedBy(entries: readonly string[]): Allowed {
  try {
    return { reach: reachOf(privateAccessIn(entries)), words: entries.join(', ') || nothing.words };
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    throw new SetupError(`BROWSERD_PRIVATE_ACCESS is wrong: ${error.reason}.`);
  }
}

function isLoopback(host: string): boolean {
  const name = normalizeHost(host) ?? host;
  const address = parseAddress(name);
  return isLocalhost(name) || (address !== undefined && kindOf(address) === 'loopback');
}
