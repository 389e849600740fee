/** How far the job is, how long it takes, what bounded it, and why it failed. */
import type { api } from '@browserd/sdk';
import type { ReactNode } from 'react';
import { isActive, JobProgress } from '../../parts/job/job.ts';
import { Note } from '../../parts/notices/notices.ts';
import { Panel } from '../../parts/panel.tsx';
import { duration, Time, Untrusted } from '../../parts/text/text.ts';

export function JobFacts({ job }: { job: api.Job }) {
  const { progress, error, remarks } = job;
  return (
    <>
      {error && (
        <div className="note error" role="alert">
          <p className="note-text">
            <bdi>{error.message}</bdi> <code>{error.code}</code>
          </p>
        </div>
      )}
      <Panel title="Progress">
        <JobProgress job={job} />
        <dl className="job-facts">
          <Fact name="Done">{progress.done.toLocaleString()}</Fact>
          <Fact name="Failed">{progress.failed.toLocaleString()}</Fact>
          <Fact name="Skipped">{progress.skipped.toLocaleString()}</Fact>
          {isActive(job) && <Fact name="Under way">{progress.running.toLocaleString()}</Fact>}
          {isActive(job) && <Fact name="Waiting">{progress.queued.toLocaleString()}</Fact>}
          <Fact name="Created">
            <Time at={job.createdAt} />
          </Fact>
          {job.startedAt && job.endedAt && (
            <Fact name="Took">{duration(Date.parse(job.endedAt) - Date.parse(job.startedAt))}</Fact>
          )}
          {job.expiresAt && (
            <Fact name="Expires">
              <Time at={job.expiresAt} />
            </Fact>
          )}
        </dl>
      </Panel>
      {remarks.length > 0 && (
        <Note icon="shield">
          <ul className="plain-list" aria-label="Remarks">
            {remarks.map(({ code, message }) => (
              <li key={`${code} ${message}`}>
                <Untrusted text={message} className="job-remark" />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
