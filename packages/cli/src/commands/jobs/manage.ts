/** `jobs`: those that run and those that are over, and what came of them. */
import type { api } from '@browserd/sdk';
import { type Command, Option } from 'commander';
import {
  act,
  type Call,
  firstOf,
  type ListOptions,
  listOptions,
  oneByOne,
  pageSize,
} from '../../call/call.ts';
import { examples } from '../../options/options.ts';
import { ago, ahead, type Column, span } from '../../output/output.ts';
import { progressLine } from './job-progress.ts';

const statuses = ['queued', 'running', 'completed', 'cancelled', 'failed'];

export function addJobs(program: Command): void {
  const group = program
    .command('jobs')
    .description('crawls, batches and maps: list, look, cancel, delete')
    .addHelpText('after', examples('browserd jobs list', 'browserd jobs results job_… --status failed'));
  addList(group);
  addGet(group);
  addResults(group);
  group
    .command('cancel <job-ids...>')
    .description('end jobs; the results that are there stay')
    .addHelpText('after', examples('browserd jobs cancel job_…'))
    .action(
      act(({ client, out, signal }: Call, ids: string[]) =>
        oneByOne(
          out,
          ids,
          (id) => client.jobs.cancel(id, { signal }),
          ({ id, status }) => ({ id, words: `${id} is ${status}` }),
        ),
      ),
    );
  group
    .command('delete <job-ids...>')
    .alias('rm')
    .description('delete jobs with their results and files; those that run are cancelled')
    .addHelpText('after', examples('browserd jobs delete job_…'))
    .action(
      act(({ client, out, signal }: Call, ids: string[]) =>
        oneByOne(
          out,
          ids,
          (id) => client.jobs.delete(id, { signal }),
          ({ id }) => ({ id, words: `${id} is deleted` }),
        ),
      ),
    );
}

interface ListFlags extends ListOptions {
  status?: api.Job['status'];
  kind?: api.Job['kind'];
}

function addList(group: Command): void {
  listOptions(group.command('list').alias('ls').description('jobs of the project, newest first'))
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .addOption(new Option('--kind <kind>', 'only these').choices(['batch', 'crawl', 'map']))
    .addHelpText('after', examples('browserd jobs list', 'browserd jobs list --status running --json'))
    .action(
      act(async (call: Call<ListFlags>) => {
        const { status, kind } = call.options;
        const listing = call.client.jobs.list(
          { limit: pageSize(call), ...(status && { status }), ...(kind && { kind }) },
          { signal: call.signal },
        );
        call.out.list(await firstOf(call, listing), columns, 'No jobs.');
      }),
    );
}

const columns: Column<api.Job>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'KIND', value: ({ kind }) => kind },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'DONE', value: ({ progress }) => progress.done, right: true },
  { title: 'FAILED', value: ({ progress }) => progress.failed, right: true },
  { title: 'OF', value: ({ progress }) => progress.total, right: true },
  { title: 'WHAT', value: ({ name, url, action }) => name ?? url ?? action ?? '', flexible: true },
  { title: 'CREATED', value: ({ createdAt }) => ago(createdAt) },
];

function addGet(group: Command): void {
  group
    .command('get <job-id>')
    .description('one job: how far it is, and what bounded it')
    .addHelpText('after', examples('browserd jobs get job_…', 'browserd jobs get job_… --json'))
    .action(
      act(async ({ client, out, signal }: Call, id: string) => {
        const job = await client.jobs.get(id, { signal });
        const { startedAt, endedAt, expiresAt } = job;
        out.one(job, [
          ['id', job.id],
          ['kind', job.action ? `${job.kind}, ${job.action}` : job.kind],
          ['name', job.name ?? undefined],
          ['url', job.url ?? undefined],
          ['status', job.status],
          ['progress', progressLine(job)],
          ['error', job.error ? `${job.error.code}: ${job.error.message}` : undefined],
          ...job.remarks.map(({ message }): [string, string] => ['remark', message]),
          ['created', ago(job.createdAt)],
          ['took', startedAt && endedAt ? span(Date.parse(endedAt) - Date.parse(startedAt)) : undefined],
          ['expires', ahead(expiresAt ?? undefined)],
        ]);
      }),
    );
}

interface ResultFlags extends ListOptions {
  status?: api.JobResult['status'];
}

function addResults(group: Command): void {
  listOptions(
    group.command('results <job-id>').description('what came of the pages, in the order of their end'),
  )
    .addOption(new Option('--status <status>', 'only these').choices(['done', 'failed', 'skipped']))
    .addHelpText(
      'after',
      examples(
        'browserd jobs results job_… --status failed',
        'browserd jobs results job_… --limit all --json',
      ),
    )
    .action(
      act(async (call: Call<ResultFlags>, id: string) => {
        const { status } = call.options;
        const filter = { limit: pageSize(call), ...(status && { status }) };
        const listing = call.client.jobs.results(id, filter, { signal: call.signal });
        call.out.list(await firstOf(call, listing), resultColumns, 'No results.');
      }),
    );
}

const resultColumns: Column<api.JobResult>[] = [
  { title: 'SEQ', value: ({ seq }) => seq, right: true },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'HTTP', value: ({ statusCode }) => statusCode ?? undefined, right: true },
  { title: 'URL', value: ({ url }) => url ?? undefined, flexible: true },
  {
    title: 'WHAT',
    value: ({ error, scraped, file }) =>
      error ? `${error.code}: ${error.message}` : (scraped?.title ?? file?.id),
    flexible: true,
  },
];
