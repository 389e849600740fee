/**
 * A job from here: created, followed into a folder, and cancelled by Ctrl-C. A failure on this side, such as a full disk,
 * leaves the job to the service, as its work is not lost: `--resume` fetches the rest.
 */
import type { api, NewJob } from '@browserd/sdk';
import type { Command } from 'commander';
import type { Call } from '../../call/call.ts';
import { exitCodes, Failure, wrongUsage } from '../../failure.ts';
import { span } from '../../output/output.ts';
import { JobProgress } from './job-progress.ts';
import { pageFileOf } from './page-file.ts';
import { indexName, prepareFolder, ResultFolder } from './result-folder.ts';

/** Time limit of the clean-up after Ctrl-C; the service needs far less, or it is down. */
const cleanUpMs = 20_000;

export interface FolderFlags {
  out?: string;
  resume?: string;
  detach?: boolean;
}

export const takesFolder = (command: Command): Command =>
  command
    .option('--out <folder>', 'where the pages go: a file for each, and index.ndjson')
    .option('--resume <job>', 'fetch what is missing in the folder of this job, instead of a new one');

export async function jobIntoFolder(
  call: Call<FolderFlags>,
  makeJob: () => NewJob | Promise<NewJob>,
): Promise<void> {
  const { options, client, signal, out } = call;
  if (options.detach && options.resume !== undefined)
    throw wrongUsage('--detach is for a new job; --resume fetches one.');
  if (options.detach && options.out !== undefined)
    throw wrongUsage('With --detach nothing is fetched now: leave --out for the --resume of later.');
  if (options.detach) return detached(call, await makeJob());
  const path = options.out;
  if (path === undefined)
    throw wrongUsage('Where do the pages go? Name a folder with --out FOLDER, or use --detach.');
  if (options.resume !== undefined)
    return resumed(call, path, await client.jobs.get(options.resume, { signal }));
  const wanted = await makeJob();
  await prepareFolder(path);
  const job = await client.jobs.create(wanted, { signal });
  out.note(`${job.id} has begun.`);
  const how = `browserd ${job.kind} --resume ${job.id} --out ${path}`;
  await cancelledBy(call, job, how, () => fetchInto(call, path, job));
}

/** Ctrl-C ends the fetching alone: the job was not begun here. */
async function resumed(call: Call, path: string, job: api.Job): Promise<void> {
  try {
    await fetchInto(call, path, job);
  } catch (error) {
    if (call.signal.aborted) call.out.note(`${job.id} is left as it is.`);
    throw error;
  }
}

/** Prints the id, which is all that the next command needs. */
export async function detached({ client, signal, out }: Call, wanted: NewJob): Promise<void> {
  const job = await client.jobs.create(wanted, { signal });
  out.done(job, job.id, job.id);
}

/** Ctrl-C ends the job too, and says so; after any other failure it goes on, and that is said. `how` its results are had. */
export async function cancelledBy(
  call: Call,
  { id }: api.Job,
  how: string,
  work: () => Promise<void>,
): Promise<void> {
  const { client, signal, out } = call;
  try {
    await work();
  } catch (error) {
    if (error instanceof JobOver) throw error;
    const byHand = `browserd jobs cancel ${id}`;
    if (signal.aborted)
      await client.jobs.cancel(id, { timeoutMs: cleanUpMs }).then(
        ({ status }) => out.warn(`${id} is ${status}. What is there: ${how}`),
        () => out.warn(`${id} could not be cancelled. Do it with: ${byHand}`),
      );
    else out.warn(`${id} goes on in the service. The rest: ${how}. To end it: ${byHand}`);
    throw error;
  }
}

/** The job has ended badly; there is nothing to cancel. */
class JobOver extends Failure {}

async function fetchInto(call: Call, path: string, job: api.Job): Promise<void> {
  const { client, signal, out } = call;
  await using folder = await ResultFolder.open(path, job);
  let files = 0;
  const ended = await following(call, job, async () => {
    const results = client.jobs.follow(job.id, { after: folder.lastSeq, signal });
    for (;;) {
      const { done, value } = await results.next();
      if (done) return value;
      const file = await folder.add(value, await pageFileOf(call, value));
      if (file !== null) files++;
    }
  });
  const index = `${path}/${indexName}`;
  out.done({ job: ended, folder: path, files, index }, path, summary(ended, files, path));
  throwUnlessDone(ended);
}

export async function following(call: Call, job: api.Job, follow: () => Promise<api.Job>): Promise<api.Job> {
  using _progress = new JobProgress(call, job);
  const ended = await follow();
  for (const { message } of ended.remarks) call.out.note(message);
  return ended;
}

function summary({ progress, startedAt, endedAt }: api.Job, files: number, path: string): string {
  const { failed, skipped } = progress;
  const took = startedAt && endedAt ? ` in ${span(Date.parse(endedAt) - Date.parse(startedAt))}` : '';
  const rest = [failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
    .filter(Boolean)
    .join(', ');
  return `${files} ${files === 1 ? 'page' : 'pages'} in ${path}${rest && ` (${rest}: see ${indexName})`}${took}`;
}

/** Some pages of a site nearly always fail; a job of which none is done has failed. */
export function throwUnlessDone({ id, status, error, progress }: api.Job): void {
  if (status === 'cancelled') throw new JobOver(`${id} was cancelled.`);
  if (status === 'failed') throw new JobOver(`${id} failed: ${error?.message ?? 'no reason is known.'}`);
  if (progress.done === 0 && progress.failed > 0)
    throw new JobOver(`Every page of ${id} failed. See: browserd jobs results ${id}`, exitCodes.refused);
}
