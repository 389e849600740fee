/** The same store, in whose events the values of secrets are masked before they are written. */
import type { NewEvent, Store } from '../store/records.ts';
import type { Masks } from './masks.ts';

export function maskingEvents(store: Store, masks: Pick<Masks, 'deep'>): Store {
  const { browsers, artifacts, profiles, events } = store;
  const cover = (all: readonly NewEvent[]): NewEvent[] =>
    all.map((event) => ({ ...event, data: masks.deep(event.projectId, event.data) }));
  return {
    ...store,
    browsers: {
      ...browsers,
      insert: (record, all, ...rest) => browsers.insert(record, cover(all), ...rest),
      change: (id, expected, patch, all = []) => browsers.change(id, expected, patch, cover(all)),
    },
    artifacts: {
      ...artifacts,
      insert: (record, quotaBytes, all = []) => artifacts.insert(record, quotaBytes, cover(all)),
      change: (id, bootId, patch, quotaBytes, all = []) =>
        artifacts.change(id, bootId, patch, quotaBytes, cover(all)),
    },
    profiles: {
      ...profiles,
      insert: (record, options) => profiles.insert(record, { ...options, events: cover(options.events) }),
      change: (id, projectId, patch, all = []) => profiles.change(id, projectId, patch, cover(all)),
      addVersion: (version, expected, options) =>
        profiles.addVersion(version, expected, { ...options, events: cover(options.events) }),
      remove: (id, projectId, all) => profiles.remove(id, projectId, cover(all)),
    },
    events: { ...events, append: (all) => events.append(cover(all)) },
  };
}
