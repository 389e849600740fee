/**
 * From names to addresses, by a resolver of our own for each exit. The system's (`getaddrinfo`) has a few threads for the
 * whole process and cannot be called off: names that never resolve, asked by one page, would stop every other browser.
 *
 *   hosts file ──> kept answer ──> one of a few look-ups at a time ──> A and AAAA, with the search list, within seconds
 *
 * A page opens several connections to a host at once, so look-ups of one name share an answer, which is kept for a moment;
 * every use of it is checked against the policy.
 */
import { Resolver } from 'node:dns/promises';
import { searchNames, writtenAddresses } from './system-names.ts';

export type Resolve = (host: string) => Promise<string[]>;

export interface NamesOptions {
  /** `127.0.0.1:5353`; empty: those of the system. */
  servers?: readonly string[];
  timeoutMs?: number;
}

const usualTimeoutMs = 2000;
const tries = 2;
const keptMs = 5000;
const keptMost = 1000;
const mostAtOnce = 16;
const mostWaiting = 256;

/** A name server has said that there is no such name or no such record: the next of the search list may exist. */
const isMissing = (error: unknown): boolean =>
  ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');

export class Names implements Disposable {
  readonly #resolver: Resolver;
  readonly #answers = new Map<string, { addresses: Promise<string[]>; until: number }>();
  readonly #waiting: (() => void)[] = [];
  #asking = 0;
  #closed = false;

  constructor({ servers = [], timeoutMs = usualTimeoutMs }: NamesOptions = {}) {
    this.#resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) this.#resolver.setServers(servers);
  }

  readonly resolve: Resolve = (host) => {
    const known = this.#answers.get(host);
    if (known !== undefined && known.until > Date.now()) return known.addresses;
    this.#answers.delete(host);
    const answer = { addresses: this.#find(host), until: Number.POSITIVE_INFINITY };
    this.#answers.set(host, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= keptMost) break;
      this.#answers.delete(oldest);
    }
    answer.addresses.then(
      () => {
        answer.until = Date.now() + keptMs;
      },
      () => {
        if (this.#answers.get(host) === answer) this.#answers.delete(host);
      },
    );
    return answer.addresses;
  };

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#resolver.cancel();
    for (const go of this.#waiting.splice(0)) go();
  }

  async #find(host: string): Promise<string[]> {
    const written = writtenAddresses(host);
    if (written) return written;
    await this.#turn();
    try {
      for (const name of searchNames(host)) {
        const found = await this.#ask(name);
        if (found) return found;
      }
      throw Object.assign(new Error(`no such name: ${host}`), { code: 'ENOTFOUND' });
    } finally {
      this.#asking--;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    if (this.#asking >= mostAtOnce) {
      if (this.#waiting.length >= mostWaiting)
        throw Object.assign(new Error('too many names are being looked up'), { code: 'EBUSY' });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#asking++;
    if (!this.#closed) return;
    this.#asking--;
    throw Object.assign(new Error('the exit is closed'), { code: 'ECANCELLED' });
  }

  /** Undefined: there is no such name. One family that fails does not spoil the other. */
  async #ask(name: string): Promise<string[] | undefined> {
    const [v4, v6] = await Promise.allSettled([this.#resolver.resolve4(name), this.#resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
    if (found.length > 0) return found;
    const failed = [v4, v6].find((each) => each.status === 'rejected' && !isMissing(each.reason));
    if (failed?.status === 'rejected') throw failed.reason;
    return undefined;
  }
}
