/** What the exit of a guest refused or could not reach, gathered while a quick action runs. */
import type { Guest } from '../browsers/browsers.ts';
import type { ExitTroubles } from '../page/page.ts';

/** The page itself is among the first; a page that is refused a thousand things must not fill the memory. */
const mostKept = 100;

export function gatherTroubles(guest: Guest): ExitTroubles & Disposable {
  const troubles: { -readonly [Field in keyof ExitTroubles]: ExitTroubles[Field] } = {
    refusals: [],
    unreachable: [],
  };
  const keep = <T>(list: T[], trouble: T): void => {
    if (list.length < mostKept) list.push(trouble);
  };
  const stop = guest.watch({
    refused: (refusal) => keep(troubles.refusals, refusal),
    unreachable: (failure) => keep(troubles.unreachable, failure),
    upstreamFailed: (failure) => {
      troubles.proxyFailure = failure;
    },
  });
  return Object.assign(troubles, { [Symbol.dispose]: stop });
}
