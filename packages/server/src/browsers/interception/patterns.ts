/** Which requests Chromium has to ask about: as few as the rules allow, because each of them waits for an answer. */
import type { Protocol } from 'devtools-protocol';
import type { Policy } from '../record/policy-schema.ts';
import type { RequestRule } from '../record/rule-schema.ts';
import { chromiumTypes } from './asked.ts';

type Pattern = Protocol.Fetch.RequestPattern;

/** To Chromium a question mark stands for any character, and a backslash takes the meaning from the next one. */
const escaped = (glob: string): string => glob.replace(/[\\?]/g, '\\$&');

/** They may cover more than the rules do, never less. */
export function patternsFor({ rules = [], lists = [] }: Pick<Policy, 'rules' | 'lists'>): Pattern[] {
  if (lists.length > 0) return [{ urlPattern: '*' }];
  const all: Pattern[] = rules.flatMap(({ match, do: act }): Pattern[] => {
    // A header that was set would go on to wherever the request is redirected; so every request is looked at.
    if (act.action === 'headers' && act.set) return [{ urlPattern: '*' }];
    const urlPattern = urlPatternFor(match);
    const types = match.type === undefined ? [] : chromiumTypes(match.type);
    const own =
      types.length > 0 ? types.map((resourceType) => ({ urlPattern, resourceType })) : [{ urlPattern }];
    // Which document a frame shows decides what is of another site there.
    return match.thirdParty === undefined ? own : [...own, { urlPattern: '*', resourceType: 'Document' }];
  });
  const everything = all.find(({ urlPattern, resourceType }) => urlPattern === '*' && !resourceType);
  if (everything) return [everything];
  return [...new Map(all.map((pattern) => [JSON.stringify(pattern), pattern])).values()];
}

function urlPatternFor({ url, host }: RequestRule['match']): string {
  if (url !== undefined) return escaped(url);
  return host === undefined ? '*' : `*://*${host}*`;
}
