/**
 * The page of one job:
 *
 *   header: name, kind, status, cancel and delete
 *   progress: counts, times, what bounded it
 *   results: in the order in which pages were finished, with their text, picture or error
 */
import { type api, BrowserdError } from '@browserd/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from 'wouter';
import { Loaded, queryKeys, useProjectEvents } from '../../data/data.ts';
import { LinkButton } from '../../parts/controls/controls.ts';
import { CopyButton } from '../../parts/copy/copy.ts';
import { isActive, JobActions, JobStatus, titleOf } from '../../parts/job/job.ts';
import { Empty } from '../../parts/notices/notices.ts';
import { WebLink } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { Page } from '../../shell/shell.tsx';
import { JobFacts } from './job-facts.tsx';
import { JobResults } from './job-results.tsx';
import '../../design/panels.css';
import './job.css';

/** Pages make no events, so the progress of what is under way is asked for. */
const progressMs = 1500;

export function JobPage() {
  const { id } = useParams<{ id: string }>();
  return <OneJob key={id} id={id} />;
}

function OneJob({ id }: { id: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const key = [...queryKeys.jobs, id];
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.jobs.get(id, { signal }),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? progressMs : false),
  });
  const reload = () => queries.invalidateQueries({ queryKey: key });
  useProjectEvents(['job.*'], {
    onEvent: ({ data }) => {
      if ((data as { jobId?: unknown }).jobId === id) void reload();
    },
    onGap: () => void reload(),
  });
  if (isGone(query.error)) return <NoSuchJob />;
  const job = query.data;
  return (
    <Page
      title={job ? titleOf(job) : id}
      lead={job && <Lead job={job} />}
      actions={
        job && (
          <>
            <CopyButton text={job.id} what="ID" />
            <JobActions
              job={job}
              labelled
              cancel={() => client.jobs.cancel(id).then(reload)}
              remove={async () => {
                await client.jobs.delete(id);
                void queries.invalidateQueries({ queryKey: queryKeys.jobs });
                navigate('/app/jobs');
              }}
            />
          </>
        )
      }
    >
      <Loaded query={query} rows={4} label="Loading the job">
        {(there) => (
          <>
            <JobFacts job={there} />
            <JobResults job={there} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({ job }: { job: api.Job }) {
  const kind = job.action ? `${job.kind}, ${job.action}` : job.kind;
  return (
    <span className="job-lead">
      <JobStatus status={job.status} />
      <span>{kind}</span>
      {job.name && job.url && <WebLink url={job.url} />}
    </span>
  );
}

const isGone = (error: unknown): boolean => error instanceof BrowserdError && error.code === 'JOB_NOT_FOUND';

function NoSuchJob() {
  return (
    <Page title="Job">
      <Empty icon="jobs" title="Job not found" action={<LinkButton to="/app/jobs">All jobs</LinkButton>}>
        It may belong to another project, or it was deleted or ended long ago.
      </Empty>
    </Page>
  );
}
