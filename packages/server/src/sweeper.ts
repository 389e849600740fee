/**
 * Removes what is past its time, one round after the other:
 *
 *   closed browsers, old idempotency keys, expired profiles and files, ended jobs, kept answers, nodes that are gone for good
 *       ──> their records ──> the bytes that have no record any more
 *
 * A round ends before the next is planned, so that a slow disk or database never has two to bear. Records are swept by one
 * node at a time; bytes by the node on whose disk they are.
 */
import type { Artifacts } from './artifacts/artifacts.ts';
import type { AnswerCache } from './cache/cache.ts';
import type { Config } from './config.ts';
import type { EventType } from './events/events.ts';
import type { ProjectFiles } from './files/files.ts';
import type { PastJobs } from './jobs/jobs.ts';
import type { Log } from './kit/log.ts';
import type { Turn } from './kit/turn.ts';
import type { Profiles } from './profiles/profiles.ts';
import type { Store } from './store/records.ts';

export interface SweeperParts {
  store: Store;
  artifacts: Artifacts;
  profiles: Pick<Profiles, 'sweepExpired'>;
  jobs: Pick<PastJobs, 'sweep'>;
  projectFiles: Pick<ProjectFiles, 'sweepExpired'>;
  answers: Pick<AnswerCache, 'sweep'>;
  config: Pick<Config, 'retention' | 'idempotencyRetention' | 'answerCacheTime'>;
  log: Log;
  turn: Turn;
  onSwept?(what: 'browsers' | 'blobs', count: number): void;
}

/** Of what has no record of a browser. */
const loneEvents: EventType[] = [
  ...(['quick.completed', 'quick.failed', 'profile.created', 'profile.restored'] as const),
  ...(['job.started', 'job.completed', 'job.cancelled', 'job.failed'] as const),
  ...(['profile.exported', 'profile.deleted', 'profile.signed_out', 'file.address_issued'] as const),
];

/** A node that is gone for so long does not come back with its disk. */
const lostAfterMs = 24 * 3_600_000;
const longestPause = 600_000;
const shortestPause = 1000;

/** What is kept for a short time is looked at more often, so that it stays for little longer than it should. */
export const pauseBetween = (config: SweeperParts['config']): number =>
  Math.max(
    shortestPause,
    Math.min(longestPause, config.retention / 2, config.idempotencyRetention / 2, config.answerCacheTime / 2),
  );

export function startSweeper(parts: SweeperParts): AsyncDisposable {
  const { config, log, turn } = parts;
  let timer: NodeJS.Timeout | undefined;
  const end = new AbortController();

  const sweepRecords = async (): Promise<void> => {
    const now = Date.now();
    const past = {
      closedBefore: now - config.retention,
      idempotencyBefore: now - config.idempotencyRetention,
      deliveriesBefore: now - config.retention,
      loneEvents: {
        types: loneEvents,
        before: now - config.retention,
      },
    };
    const { browsers } = await parts.store.sweep(past, end.signal);
    if (browsers.length === 0) return;
    log.info({ browsers: browsers.length }, 'store.swept');
    parts.onSwept?.('browsers', browsers.length);
  };
  const sweepProfiles = async (): Promise<void> => {
    if (end.signal.aborted) return;
    const removed = await parts.profiles.sweepExpired();
    if (removed > 0) log.info({ removed }, 'profiles.swept');
  };
  const sweepFiles = async (): Promise<void> => {
    if (end.signal.aborted) return;
    const removed = await parts.projectFiles.sweepExpired(end.signal);
    if (removed > 0) log.info({ removed }, 'files.swept');
  };
  const sweepJobs = async (): Promise<void> => {
    if (end.signal.aborted) return;
    const removed = await parts.jobs.sweep(Date.now() - config.retention, end.signal);
    if (removed > 0) log.info({ removed }, 'jobs.swept');
  };
  const sweepAnswers = async (): Promise<void> => {
    if (end.signal.aborted) return;
    const removed = await parts.answers.sweep();
    if (removed > 0) log.info({ removed }, 'cache.swept');
  };
  const sweepBytes = async (of: 'this node' | 'all nodes'): Promise<void> => {
    if (end.signal.aborted) return;
    const removed = await parts.artifacts.sweepOrphans(of);
    if (removed === 0) return;
    log.info({ removed }, 'artifacts.swept');
    parts.onSwept?.('blobs', removed);
  };
  const forgetGone = async (): Promise<void> => {
    if (end.signal.aborted) return;
    const { nodes, blobs } = await parts.store.nodes.forgetGone(lostAfterMs);
    if (nodes + blobs > 0) log.warn({ nodes, blobs }, 'nodes.forgotten');
  };
  const tried = (work: Promise<void>, word: string): Promise<void> =>
    work.catch((error: unknown) => log.warn({ err: error }, word));

  const sweepShared = async (): Promise<void> => {
    if (!(await turn.take('sweep', pauseBetween(config) / 2))) return;
    await tried(sweepRecords(), 'store.sweep_failed');
    await tried(sweepProfiles(), 'profiles.sweep_failed');
    await tried(sweepFiles(), 'files.sweep_failed');
    await tried(sweepJobs(), 'jobs.sweep_failed');
    await tried(forgetGone(), 'nodes.forget_failed');
    await tried(sweepBytes('all nodes'), 'artifacts.sweep_failed');
  };

  const round = async (): Promise<void> => {
    await tried(sweepShared(), 'store.sweep_failed');
    await tried(sweepAnswers(), 'cache.sweep_failed');
    await tried(sweepBytes('this node'), 'artifacts.sweep_failed');
    if (!end.signal.aborted) timer = setTimeout(begin, pauseBetween(config)).unref();
  };
  let running: Promise<void> = Promise.resolve();
  const begin = (): void => {
    running = round();
  };
  begin();
  return {
    // Returns once no round runs any more.
    async [Symbol.asyncDispose]() {
      end.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
