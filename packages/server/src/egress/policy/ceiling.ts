/**
 * The operator's ceiling: how far into private networks any caller of this service may let a browser go. Left unset it is
 * this machine for a service that only this machine reaches and that has one project; otherwise nothing, because a member
 * of one project would reach what belongs to another.
 */
import { SetupError } from '../../kit/setup-error.ts';
import { kindOf, parseAddress } from './address.ts';
import { isLocalhost, normalizeHost } from './host.ts';
import { PolicyError, privateAccessIn } from './normalize.ts';
import { type PrivateAccess, type PrivateReach, reachOf } from './private-access.ts';

export interface Ceiling {
  /** As it was when last looked at; exits ask while they dial. */
  readonly reach: PrivateReach;
  /** For the error that a caller gets. */
  readonly words: string;
  /** The number of projects can have changed by another process. */
  look(): Promise<void>;
}

export interface CeilingOptions {
  /** Null: by where the service listens and how many projects it has. */
  allowed: readonly string[] | null;
  host: string;
  countProjects(): Promise<number>;
}

export async function openCeiling({ allowed, host, countProjects }: CeilingOptions): Promise<Ceiling> {
  if (allowed) {
    const reach = reachOf(readSetting(allowed));
    return { reach, words: allowed.join(', ') || 'nothing private', look: () => Promise.resolve() };
  }
  const open = { reach: reachOf({ localhost: true }), words: 'localhost' };
  const shut = { reach: reachOf(false), words: 'nothing private' };
  let now = shut;
  const look = async (): Promise<void> => {
    now = isLoopback(host) && (await countProjects()) <= 1 ? open : shut;
  };
  await look();
  return {
    get reach() {
      return now.reach;
    },
    get words() {
      return now.words;
    },
    look,
  };
}

function readSetting(entries: readonly string[]): PrivateAccess {
  try {
    return privateAccessIn(entries);
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
