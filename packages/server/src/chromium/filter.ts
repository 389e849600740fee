import { openMethods } from './filter-methods.ts';
import { type Asker, type Params, refuse, ruledMethods, type Verdict } from './filter-rules.ts';

/**
 * May this client do that? Unfiltered, the protocol reads and writes files, leaves the egress policy, opens Chromium's
 * own pages and ends the browser; so everything is refused that is not in one of two tables:
 *
 *   filter-methods.ts   allowed as it is          filter-rules.ts   allowed with the right parameters
 */
export type { FilterRules, Verdict } from './filter-rules.ts';

export function judge(method: string, params: Params, asker: Asker): Verdict {
  const rule = ruledMethods.get(method);
  if (rule) return rule(params, asker);
  if (openMethods.has(method)) return { kind: 'pass', params };
  return refuse(`'${method.slice(0, 80)}' is not allowed here`);
}
