/** The results of a job, page after page; while it runs, those that are shown are asked for again. */
import type { api } from '@browserd/sdk';
import { useState } from 'react';
import { ListedItems, queryKeys, useListed } from '../../data/data.ts';
import { Button, ChoiceChips } from '../../parts/controls/controls.ts';
import { isActive } from '../../parts/job/job.ts';
import { Badge, type Tone } from '../../parts/notices/notices.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Untrusted, WebLink } from '../../parts/text/text.ts';
import { useClient } from '../../session/session.ts';
import { ResultContent } from './result-content.tsx';

type Show = 'all' | api.JobResult['status'];
const shows: Record<Show, string> = { all: 'All', done: 'Done', failed: 'Failed', skipped: 'Skipped' };

const tones: Record<api.JobResult['status'], Tone> = { done: 'good', failed: 'bad', skipped: 'calm' };
const refreshMs = 3000;
/** Each comes with its whole text. */
const perPage = 20;

export function JobResults({ job }: { job: api.Job }) {
  const client = useClient();
  const [show, setShow] = useState<Show>('all');
  const [opened, setOpened] = useState<number>();
  const list = useListed(
    [...queryKeys.jobs, job.id, 'results', show],
    (signal) =>
      client.jobs.results(job.id, { limit: perPage, ...(show !== 'all' && { status: show }) }, { signal }),
    { refetchInterval: () => (isActive(job) ? refreshMs : false), keepsBefore: true },
  );
  const columns: readonly Column<api.JobResult>[] = [
    {
      head: 'Page',
      grows: true,
      cell: ({ url, index }) => (url ? <WebLink url={url} /> : <span>{`Item ${index + 1}, HTML`}</span>),
    },
    {
      head: 'Result',
      cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge>,
    },
    { head: 'HTTP', end: true, cell: ({ statusCode }) => statusCode ?? <span className="faint">none</span> },
    {
      head: 'What',
      cell: (result) => {
        const text = wordsOf(result);
        return text && <Untrusted text={text} className="soft" />;
      },
    },
    {
      head: 'Actions',
      end: true,
      cell: (result) => <Toggle result={result} opened={opened} onOpen={setOpened} />,
    },
  ];
  return (
    <section className="panel" aria-label="Results">
      <header className="panel-head">
        <h2>Results</h2>
        <ChoiceChips legend="Results" choices={shows} value={show} onValue={setShow} />
      </header>
      <ListedItems list={list} empty={<p className="faint job-empty">{nothing(job, show)}</p>}>
        {(results) => (
          <Table
            label="Results"
            columns={columns}
            rows={results}
            keyOf={({ seq }) => String(seq)}
            detail={(result) => opened === result.seq && <ResultContent result={result} />}
          />
        )}
      </ListedItems>
    </section>
  );
}

const wordsOf = ({ error, scraped, file, source }: api.JobResult): string =>
  error?.message || scraped?.title || file?.name || source || '';

const nothing = (job: api.Job, show: Show): string => {
  if (show !== 'all') return 'None of these.';
  return isActive(job) ? 'No page is finished yet.' : 'There are no results.';
};

interface ToggleProps {
  result: api.JobResult;
  opened: number | undefined;
  onOpen(seq: number | undefined): void;
}

function Toggle({ result, opened, onOpen }: ToggleProps) {
  if (!result.scraped && !result.file && !result.error) return null;
  const isOpen = opened === result.seq;
  return (
    <div>
      <Button
        small
        kind="quiet"
        icon={isOpen ? 'down' : 'right'}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? 'Hide' : 'Show'} ${result.url ?? `item ${result.index + 1}`}`}
        onClick={() => onOpen(isOpen ? undefined : result.seq)}
      />
    </div>
  );
}
