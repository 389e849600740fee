/** What the exit refused or could not reach while a quick action ran. */
import type { Guest } from '../browsers/browsers.ts';
import type { ExitTroubles } from '../page/page.ts';

/** The page itself is among the first; a page that is refused a thousand things must not fill the memory. */
const mostKept = 100;

/** What the guest's way out turned away or could not reach, gathered while it works. */
export function gatherTroubles(guest: Guest): ExitTroubles & { stop(): void } {
  const troubles: { -readonly [Field in keyof ExitTroubles]: ExitTroubles[Field] } = {
    refusals: [],
    unreachable: [],
  };
  const keep = <T>(list: T[], one: T): void => {
    if (list.length < mostKept) list.push(one);
  };
  const stop = guest.watch({
    refused: (refusal) => keep(troubles.refusals, refusal),
    unreachable: (failure) => keep(troubles.unreachable, failure),
    upstreamFailed: (failure) => {
      troubles.proxyFailure = failure;
    },
  });
  return Object.assign(troubles, { stop });
}
