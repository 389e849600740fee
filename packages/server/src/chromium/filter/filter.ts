/**
 * May this client do that? Unfiltered, the protocol reads and writes files, leaves the egress policy, opens Chromium's
 * own pages and ends the browser; so everything is refused that is not in one of two tables:
 *
 *   filter-methods.ts   allowed as it is          filter-rules.ts   allowed with the right parameters
 */
import { isLookedAt } from './answers.ts';
import { openMethods } from './methods.ts';
import { type Asker, ownMethods, type Params, refuse, ruledMethods, type Verdict } from './rules.ts';

export { type Look, lookAt } from './answers.ts';
export { Belongings } from './belongings.ts';
export { clientProtocol } from './protocol.ts';

export { readingOf } from './reading.ts';
export type { FilterRules, Verdict } from './rules.ts';
export { isSeen, type TargetInfo } from './targets.ts';
export { mayBeSeen } from './urls.ts';

export function judge(method: string, params: Params, asker: Asker): Verdict {
  const rule = ruledMethods.get(method) ?? ownMethods.get(method);
  if (rule) return rule(params, asker);
  if (openMethods.has(method)) return { kind: 'pass', params };
  return refuse(`'${method.slice(0, 80)}' is not allowed here`);
}

/** Nothing of its parameters is read here, whatever they are. */
export const isOpen = (method: string): boolean =>
  openMethods.has(method) && !ruledMethods.has(method) && !isLookedAt(method);
