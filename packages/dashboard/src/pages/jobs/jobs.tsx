/** The jobs of the project, newest first: how far they are, and what may be done with them. */
import type { api } from '@browserd/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { ListedItems, queryKeys, useListed, useProjectEvents } from '../../data/data.ts';
import { Button, ChoiceChips } from '../../parts/controls/controls.ts';
import { isActive, JobActions, JobProgress, JobStatus, titleOf } from '../../parts/job/job.ts';
import { Empty } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time, Untrusted } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { CreateJobDialog } from './create-job-dialog.tsx';
import './jobs.css';

/** Pages make no events, so the progress of what is under way is asked for. */
const progressMs = 2000;

type Show = 'all' | api.Job['status'];
const shows: Record<Show, string> = {
  all: 'All',
  queued: 'Queued',
  running: 'Running',
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Failed',
};
const showOf = (text: string | null): Show => (text !== null && text in shows ? (text as Show) : 'all');

export function JobsPage() {
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const [creating, setCreating] = useState(false);
  const show = showOf(params.get('show'));
  return (
    <Page
      title="Jobs"
      lead="Many pages in one go: crawl a site, work through a list, or map addresses. Jobs go on when you leave, and survive a restart."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
          New job
        </Button>
      }
    >
      <ChoiceChips
        legend="Status"
        choices={shows}
        value={show}
        onValue={(next) => setParams(next === 'all' ? {} : { show: next }, { replace: true })}
      />
      <JobTable show={show} />
      {creating && (
        <CreateJobDialog
          onClose={() => setCreating(false)}
          onCreated={({ id }) => navigate(`/app/jobs/${id}`)}
        />
      )}
    </Page>
  );
}

const facts: readonly Column<api.Job>[] = [
  {
    head: 'Job',
    grows: true,
    cell: (job) => (
      <Link href={`/app/jobs/${job.id}`} className="job-link">
        <Untrusted text={titleOf(job)} />
      </Link>
    ),
  },
  {
    head: 'Kind',
    cell: ({ kind, action }) => <span className="job-kind">{action ? `${kind}, ${action}` : kind}</span>,
  },
  { head: 'Status', cell: ({ status }) => <JobStatus status={status} /> },
  { head: 'Progress', cell: (job) => <JobProgress job={job} /> },
  { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function JobTable({ show }: { show: Show }) {
  const client = useClient();
  const queries = useQueryClient();
  const list = useListed(
    [...queryKeys.jobs, 'list', show],
    (signal) => client.jobs.list({ limit: 50, ...(show !== 'all' && { status: show }) }, { signal }),
    { refetchInterval: (jobs) => (jobs.some(isActive) ? progressMs : false), keepsBefore: true },
  );
  const reload = () => queries.invalidateQueries({ queryKey: queryKeys.jobs });
  useProjectEvents(['job.*'], { onEvent: () => void reload(), onGap: () => void reload() });
  const columns: readonly Column<api.Job>[] = [
    ...facts,
    {
      head: 'Actions',
      end: true,
      cell: (job) => (
        <div>
          <JobActions
            job={job}
            cancel={() => client.jobs.cancel(job.id).then(reload)}
            remove={() => client.jobs.delete(job.id).then(reload)}
          />
        </div>
      ),
    },
  ];
  return (
    <ListedItems list={list} empty={<NoJobs show={show} />}>
      {(jobs) => (
        <div className="panel">
          <Table label="Jobs" columns={columns} rows={jobs} keyOf={({ id }) => id} />
        </div>
      )}
    </ListedItems>
  );
}

function NoJobs({ show }: { show: Show }) {
  if (show !== 'all') return <Empty icon="jobs" title={`No ${show} jobs`} />;
  return (
    <Empty icon="jobs" title="No jobs yet">
      Start one here, with POST /v1/jobs, client.jobs of the SDK, or browserd crawl in the terminal.
    </Empty>
  );
}
