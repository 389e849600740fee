/**
 * The robots.txt of each host that a job comes to: asked for once, when the first page of the host is due. A host that cannot
 * say its rules is asked again a few times, and then left alone (RFC 9309, 2.3.1.4).
 */
import { ApiError } from '../../errors.ts';
import type { FetchedFile } from '../../quick/quick.ts';
import { allAllowed, isUnreachable, mostRobotsBytes, type Robots, robotsOf } from './robots.ts';

/** A file of a site, through the exit of the project. */
export type FetchFile = (url: string) => Promise<FetchedFile>;

/** `unknown`: the host cannot say its rules, and this is what it said instead. */
export type HostAnswer = { robots: Robots } | { unknown: string } | { againInMs: number };

const againAfterMs = [2000, 10_000];
/** A domain can have any number of hosts, each with rules of half a megabyte: those asked longest ago are asked again. */
const mostHosts = 100;

export class HostRules {
  readonly #answers = new Map<string, Promise<HostAnswer>>();
  readonly #tries = new Map<string, number>();
  readonly #known = new Map<string, Robots>();

  /** The rules for an address. */
  of(url: string, fetch: FetchFile): Promise<HostAnswer> {
    const { origin } = new URL(url);
    const known = this.#answers.get(origin);
    if (known) return known;
    const asked = this.#ask(origin, fetch);
    this.#answers.set(origin, asked);
    // A page that comes later asks anew.
    const forget = (): void => void this.#answers.delete(origin);
    asked.then((answer) => 'againInMs' in answer && forget(), forget);
    return asked;
  }

  /** True as well while the rules of the host are not known: then its pages are judged when they are due. */
  allows(url: string): boolean {
    return this.#known.get(new URL(url).origin)?.allows(url) ?? true;
  }

  #keep(origin: string, robots: Robots): void {
    this.#known.set(origin, robots);
    const [longest] = this.#known.keys();
    if (this.#known.size <= mostHosts || longest === undefined) return;
    this.#known.delete(longest);
    this.#answers.delete(longest);
  }

  async #ask(origin: string, fetch: FetchFile): Promise<HostAnswer> {
    const robots = await readRobots(`${origin}/robots.txt`, fetch);
    if (typeof robots !== 'string') {
      this.#keep(origin, robots);
      return { robots };
    }
    const tries = this.#tries.get(origin) ?? 0;
    this.#tries.set(origin, tries + 1);
    const againInMs = againAfterMs[tries];
    return againInMs === undefined ? { unknown: robots } : { againInMs };
  }
}

/** Or why there are none. */
async function readRobots(url: string, fetch: FetchFile): Promise<Robots | string> {
  try {
    const { statusCode, content } = await fetch(url);
    if (isUnreachable(statusCode) || statusCode < 200 || statusCode >= 300) {
      content.destroy();
      return isUnreachable(statusCode) ? `${url} answered ${statusCode}.` : allAllowed;
    }
    return robotsOf(url, statusCode, await beginningOf(content));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (sitesFault.includes(error.code)) return error.message;
    // The policy refuses the host: so it does each page, in words for the caller.
    if (error.code.startsWith('POLICY_')) return allAllowed;
    throw error;
  }
}

const sitesFault = ['NAVIGATION_FAILED', 'QUICK_ACTION_TIMEOUT'];

async function beginningOf(content: FetchedFile['content']): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of content as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size >= mostRobotsBytes) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, mostRobotsBytes);
}
