/** How far a job is: a bar of what is done, failed and skipped, and the same in words. */
import type { api } from '@browserd/sdk';
import { duration } from '../text/text.ts';
import { isActive, titleOf } from './job-facts.ts';
import './job.css';

export function JobProgress({ job }: { job: api.Job }) {
  const { done, failed, skipped, total, etaMs } = job.progress;
  const finished = done + failed + skipped;
  const words = [
    `${finished.toLocaleString()} of ${total.toLocaleString()}`,
    failed > 0 && `${failed.toLocaleString()} failed`,
    isActive(job) && etaMs !== null && finished < total && `${duration(etaMs)} left`,
  ];
  return (
    <div className="job-progress">
      <progress
        className={failed > 0 && done === 0 ? 'bad' : undefined}
        aria-label={`Progress of ${titleOf(job)}`}
        max={Math.max(total, 1)}
        value={finished}
      />
      <span>{words.filter(Boolean).join(' · ')}</span>
    </div>
  );
}
