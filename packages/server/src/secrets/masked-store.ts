/** The same store, in whose events the values of secrets are masked before they are written. */
import type { DeliveryRecord, JobSummary, NewEvent, Store, TellOfJob } from '../store/records.ts';
import type { Masks } from './masks.ts';

export function maskingEvents(store: Store, masks: Pick<Masks, 'deep'>): Store {
  const { browsers, artifacts, profiles, jobs, events } = store;
  const cover = (all: readonly NewEvent[]): NewEvent[] =>
    all.map((event) => ({ ...event, data: masks.deep(event.projectId, event.data) }));
  const coverBody = ({ projectId }: JobSummary, { body }: DeliveryRecord): string =>
    JSON.stringify(masks.deep(projectId, JSON.parse(body)));
  const coverTold =
    (tell: TellOfJob): TellOfJob =>
    (job) => {
      const { event, delivery } = tell(job);
      const [covered = event] = cover([event]);
      return {
        event: covered,
        ...(delivery && { delivery: { ...delivery, body: coverBody(job, delivery) } }),
      };
    };
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
    jobs: {
      ...jobs,
      claim: (id, by, tell) => jobs.claim(id, by, coverTold(tell)),
      settle: (page, by, outcome, finds, { tell, ...options }) =>
        jobs.settle(page, by, outcome, finds, { ...options, tell: coverTold(tell) }),
      addPages: (id, finds, { tell, ...options }) =>
        jobs.addPages(id, finds, { ...options, tell: coverTold(tell) }),
      end: (id, status, { tell, ...options }) => jobs.end(id, status, { ...options, tell: coverTold(tell) }),
    },
    events: { ...events, append: (all) => events.append(cover(all)) },
  };
}
