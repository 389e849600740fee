import type { Guest } from '../browsers/browsers.ts';
import type { ExitTroubles } from '../page/page.ts';

/** What the guest's way out turned away or could not reach, gathered while it works. */
export function gatherTroubles(guest: Guest): ExitTroubles & { stop(): void } {
  const troubles: { -readonly [Field in keyof ExitTroubles]: ExitTroubles[Field] } = {
    refusals: [],
    unreachable: [],
  };
  const stop = guest.watch({
    refused: (refusal) => troubles.refusals.push(refusal),
    unreachable: (failure) => troubles.unreachable.push(failure),
    upstreamFailed: (failure) => {
      troubles.proxyFailure = failure;
    },
  });
  return Object.assign(troubles, { stop });
}
