/** The same store, with a count of every event that is written, by whatever method. */
import type { NewEvent, Store } from '../store/records.ts';
import type { Metrics } from './metrics.ts';

export function countEvents(store: Store, metrics: Metrics): Store {
  const { browsers, events } = store;
  for (const type of usual) metrics.count('browserd_events_total', { type }, 0);
  const count = (written: readonly NewEvent[]): void => {
    for (const { type } of written) metrics.count('browserd_events_total', { type });
  };
  return {
    ...store,
    browsers: {
      ...browsers,
      async insert(record, written, idempotency) {
        await browsers.insert(record, written, idempotency);
        count(written);
      },
      async change(id, expected, patch, written = []) {
        const changed = await browsers.change(id, expected, patch, written);
        if (changed) count(written);
        return changed;
      },
    },
    events: {
      ...events,
      async append(written) {
        await events.append(written);
        count(written);
      },
    },
  };
}

/** There from the start, so that the first event of a type shows as a change from 0 to 1. */
const usual = ['created', 'ready', 'stopped', 'resuming', 'recovering', 'recovered', 'closed', 'failed'].map(
  (what) => `browser.${what}`,
);
