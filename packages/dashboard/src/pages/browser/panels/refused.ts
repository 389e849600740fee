/** Refused connections by address and rule, the latest first, with how often each happened. */
import type { api } from '@browserd/sdk';
import { type Refusal, refusalOf } from './allow-refused.ts';

export interface Refused extends Refusal {
  key: string;
  count: number;
  at: string;
}

export function refusedIn(events: readonly api.Event[]): Refused[] {
  const found = new Map<string, Refused>();
  for (const event of events) {
    const refusal = event.type === 'policy.blocked' && refusalOf(event);
    if (!refusal) continue;
    const key = `${refusal.rule} ${refusal.url}`;
    const count = (found.get(key)?.count ?? 0) + 1;
    // removed first, so that it moves to the end
    found.delete(key);
    found.set(key, { ...refusal, key, count, at: event.at });
  }
  return [...found.values()].toReversed();
}
