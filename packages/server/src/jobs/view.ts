/** A job as the API shows it, and what is told of it when its status changes. */
import { jobDelivery } from '../events/events.ts';
import { iso, isoOrNull } from '../kit/clock.ts';
import type { JobSummary, TellOfJob } from '../store/records.ts';
import type { Job } from './schema.ts';

export interface Shown {
  now: number;
  /** Pages that are being worked on. */
  running: number;
  /** How long an ended job is kept. */
  retentionMs: number;
}

/** At the pace since the start; a crawl that still finds pages takes longer. */
function etaOf(job: JobSummary, finished: number, now: number): number | null {
  if (job.endedAt !== null || job.startedAt === null || finished === 0) return null;
  return Math.round(((now - job.startedAt) / finished) * (job.total - finished));
}

export function jobView(job: JobSummary, { now, running, retentionMs }: Shown): Job {
  const { total, done, failed, skipped } = job;
  const finished = done + failed + skipped;
  const atWork = job.endedAt === null ? Math.min(running, total - finished) : 0;
  return {
    id: job.id,
    kind: job.kind as Job['kind'],
    action: job.action as Job['action'],
    name: job.name,
    url: job.url,
    status: job.status as Job['status'],
    progress: {
      queued: total - finished - atWork,
      running: atWork,
      done,
      failed,
      skipped,
      total,
      etaMs: etaOf(job, finished, now),
    },
    remarks: job.remarks,
    error: job.error,
    createdAt: iso(job.createdAt),
    startedAt: isoOrNull(job.startedAt),
    endedAt: isoOrNull(job.endedAt),
    expiresAt: isoOrNull(job.endedAt === null ? null : job.endedAt + retentionMs),
  };
}

const typeOf = { running: 'job.started' } as Record<string, string>;

/** One event for each change of its status; its webhook hears of its end. */
export const tellOfJob =
  (retentionMs: number): TellOfJob =>
  (job) => {
    const at = Date.now();
    const type = typeOf[job.status] ?? `job.${job.status}`;
    const { id: jobId, projectId, kind, action, name, url, error, webhookId } = job;
    const view = jobView(job, { now: at, running: 0, retentionMs });
    const { etaMs: _, ...progress } = view.progress;
    const data = { jobId, kind, action, name, url, progress, ...(error && { code: error.code }) };
    return {
      event: { type, projectId, browserId: jobId, at, data },
      ...(webhookId !== null &&
        job.endedAt !== null && { delivery: jobDelivery({ webhookId, projectId }, type, at, view) }),
    };
  };
