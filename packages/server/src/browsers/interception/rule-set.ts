/**
 * The rules of a policy made ready for quick answers: those with a host are found by it, whatever their number, the others
 * are asked one by one.
 */

import { Glob } from '../../kit/glob.ts';
import type { RequestRule } from '../record/rule-schema.ts';
import { type Asked, isThirdParty } from './asked.ts';

export interface Applying {
  index: number;
  action: RequestRule['do'];
}

interface Ready extends Applying {
  match: RequestRule['match'];
  glob: Glob | undefined;
}

export const isEnd = ({ action }: Applying): boolean =>
  action.action !== 'headers' && action.action !== 'delay';

export class RuleSet {
  readonly #byHost = new Map<string, Ready[]>();
  readonly #anywhere: Ready[] = [];

  constructor(rules: readonly RequestRule[]) {
    for (const [index, { match, do: action }] of rules.entries()) {
      const ready = { index, action, match, glob: match.url === undefined ? undefined : new Glob(match.url) };
      if (match.host === undefined) this.#anywhere.push(ready);
      else this.#byHost.set(match.host, [...(this.#byHost.get(match.host) ?? []), ready]);
    }
  }

  /** Those that apply, in their order; at most the last of them ends the request. */
  for(asked: Asked): Applying[] {
    const fitting = this.#candidates(asked.host).filter((rule) => fits(rule, asked));
    const end = fitting.findIndex(isEnd);
    return end < 0 ? fitting : fitting.slice(0, end + 1);
  }

  #candidates(host: string): Ready[] {
    if (this.#byHost.size === 0) return this.#anywhere;
    const found = [...this.#anywhere, ...(this.#byHost.get(host) ?? [])];
    for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1))
      found.push(...(this.#byHost.get(host.slice(dot + 1)) ?? []));
    return found.sort((a, b) => a.index - b.index);
  }
}

function fits({ match, glob }: Ready, asked: Asked): boolean {
  if (match.type !== undefined && match.type !== asked.type) return false;
  if (match.method !== undefined && match.method !== asked.method) return false;
  if (glob && !glob.matches(asked.url)) return false;
  return match.thirdParty === undefined || match.thirdParty === isThirdParty(asked);
}

/**
 * Hosts to which nothing goes at all, so that the exit can refuse their WebSockets, too: blocked by name alone, and no rule
 * before lets any request of them through.
 */
export function closedHosts(rules: readonly RequestRule[]): string[] {
  const opening = rules.findIndex(({ do: act }) => act.action === 'allow');
  const before = opening < 0 ? rules : rules.slice(0, opening);
  return before.flatMap(({ match, do: act }) =>
    act.action === 'block' &&
    match.host !== undefined &&
    Object.values(match).filter((value) => value !== undefined).length === 1
      ? [match.host]
      : [],
  );
}
