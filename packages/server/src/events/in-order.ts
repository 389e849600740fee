/**
 * Some events are written with the change of a record, others are noted and written in batches. A change that overtook a
 * batch would give its event the smaller number: `browser.closing` before the `script.completed` that came first.
 */
import type { NewEvent, Store } from '../store/records.ts';

interface Turns {
  inTurn<T>(browserId: string, work: () => Promise<T>): Promise<T>;
}

/** The time of an event is that of its turn, as its number is. */
const now = (events: readonly NewEvent[]): NewEvent[] =>
  events.map((event) => ({ ...event, at: Date.now() }));

/** The same store, in which a change with events waits for those that were noted of its browser before. */
export function writingInOrder(store: Store, { inTurn }: Turns): Store {
  const { browsers, artifacts, profiles } = store;
  const ordered = <T>(events: readonly NewEvent[], write: (events: NewEvent[]) => Promise<T>): Promise<T> => {
    const [first] = events;
    return first ? inTurn(first.browserId, () => write(now(events))) : write([]);
  };
  return {
    ...store,
    browsers: {
      ...browsers,
      change: (id, expected, patch, events = []) =>
        ordered(events, (all) => browsers.change(id, expected, patch, all)),
    },
    artifacts: {
      ...artifacts,
      insert: (record, quotaBytes, events = []) =>
        ordered(events, (all) => artifacts.insert(record, quotaBytes, all)),
      change: (id, bootId, patch, quotaBytes, events = []) =>
        ordered(events, (all) => artifacts.change(id, bootId, patch, quotaBytes, all)),
    },
    profiles: {
      ...profiles,
      insert: (record, options) =>
        ordered(options.events, (events) => profiles.insert(record, { ...options, events })),
      change: (id, projectId, patch, events = []) =>
        ordered(events, (all) => profiles.change(id, projectId, patch, all)),
      addVersion: (version, expected, options) =>
        ordered(options.events, (events) => profiles.addVersion(version, expected, { ...options, events })),
      remove: (id, projectId, events) => ordered(events, (all) => profiles.remove(id, projectId, all)),
    },
  };
}
