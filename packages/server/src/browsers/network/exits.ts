/**
 * What the exits know of a request and Chromium does not: which address was dialled, through which proxy, and which rule
 * of the policy refused it. Chromium takes the exit for the other end of every connection.
 */
import type { Outcome, Refusal } from '../../egress/egress.ts';

export interface ExitSight {
  outcome(url: string): Outcome | undefined;
  /** Of a refusal since then. */
  ruleFor(url: string, since: number): string | undefined;
}

/** A page can be refused places without end. */
const mostPlaces = 200;
/** Chromium's clock and the service's are the same, read at other moments. */
const slackMs = 1000;
const defaultPorts: Record<string, number> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

class Refusals {
  readonly #places = new Map<string, { rule: string; at: number }>();

  note({ host, port, rule }: Refusal): void {
    const place = `${port} ${host}`;
    this.#places.delete(place);
    this.#places.set(place, { rule, at: Date.now() });
    if (this.#places.size <= mostPlaces) return;
    const [oldest = ''] = this.#places.keys();
    this.#places.delete(oldest);
  }

  ruleFor(url: string, since: number): string | undefined {
    if (this.#places.size === 0) return undefined;
    const { hostname, port, protocol } = URL.parse(url) ?? {};
    if (!hostname) return undefined;
    const place = `${Number(port) || (defaultPorts[protocol ?? ''] ?? 0)} ${hostname.replace(/^\[|\]$/g, '')}`;
    const known = this.#places.get(place);
    return known && known.at >= since - slackMs ? known.rule : undefined;
  }
}

/** What an exit keeps of the requests that it carried. */
export interface CarriedRequests {
  outcome(url: string): Outcome | undefined;
}

/** `watch`: of the same exit. */
export function sightOf(
  exit: () => CarriedRequests | undefined,
  watch: (watcher: { refused(refusal: Refusal): void }) => unknown,
): ExitSight {
  const refusals = new Refusals();
  watch({ refused: (refusal) => refusals.note(refusal) });
  return {
    outcome: (url) => exit()?.outcome(url),
    ruleFor: (url, since) => refusals.ruleFor(url, since),
  };
}
