/**
 * Takes up browsers that wait for a holder: at each hint, each second without one, and when there is room again. One look at a
 * time; a wish that comes meanwhile is another look right after it.
 */
import type { Log } from '../kit/log.ts';
import type { BrowserRecord, ClaimLimits, Store } from '../store/records.ts';
import type { Claims, Lease } from './interface.ts';

export interface ClaimsParts {
  store: Store;
  log: Log;
  own: { id: string; bootId: string };
  lease: Lease;
  pace: { pollMs: number; headStartMs: number };
  adopt(records: BrowserRecord[]): void;
  room(): number;
  limits?: (() => ClaimLimits) | undefined;
}

/** So that a little lateness of a timer does not cost another turn. */
const slackMs = 20;

export function startClaims({ store, log, own, lease, pace, adopt, room, limits }: ClaimsParts): Claims {
  let over = false;
  let looking = false;
  let again = false;
  let afterHeadStart: NodeJS.Timeout | undefined;

  const claim = async (): Promise<void> => {
    const limit = lease.held() ? room() : 0;
    if (limit <= 0) return;
    const records = await store.placement.claim({
      ...{ bootId: own.bootId, nodeId: own.id },
      ...{ limit, headStartMs: pace.headStartMs, ...limits?.() },
    });
    // Also when it is over by now: they are held by this boot, which must know of it.
    if (records.length > 0) adopt(records);
  };

  const look = (): void => {
    if (over) return;
    again = true;
    if (looking) return;
    looking = true;
    void (async () => {
      while (again && !over) {
        again = false;
        await claim().catch((error: unknown) => log.warn({ err: error }, 'claim.failed'));
      }
      looking = false;
    })();
  };

  const heard = (): void => {
    look();
    // What was another node's to begin with is free then.
    clearTimeout(afterHeadStart);
    afterHeadStart = setTimeout(look, pace.headStartMs + slackMs).unref();
  };

  const poll = setInterval(look, pace.pollMs).unref();
  const off = store.placement.watch(heard);
  const offLease = lease.onChange((held) => held && look());
  look();
  return {
    look,
    [Symbol.dispose]() {
      over = true;
      clearInterval(poll);
      clearTimeout(afterHeadStart);
      off();
      offLease();
    },
  };
}
