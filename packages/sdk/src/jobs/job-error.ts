/** The error of a loop over a job that did not complete: a caller must not take what it got for all there is. */
import { BrowserdError } from '../errors.ts';
import type { Job } from '../generated/schemas.ts';

/** A job that failed, or that was cancelled by another caller. */
export class JobError extends BrowserdError {
  override readonly name = 'JobError';
  readonly job: Job;

  constructor(job: Job) {
    const { id, status, error, progress } = job;
    const counts = `${progress.done} pages are done, ${progress.failed} failed; client.jobs.results(id) has them.`;
    const facts =
      status === 'cancelled'
        ? { code: 'JOB_CANCELLED', message: `The job ${id} was cancelled. ${counts}` }
        : {
            code: error?.code ?? 'JOB_FAILED',
            message: `The job ${id} failed: ${error?.message ?? 'no reason is known.'} ${counts}`,
          };
    super({ ...facts, category: 'conflict', nextStep: 'retry', details: { jobId: id } }, 0);
    this.job = job;
  }
}
