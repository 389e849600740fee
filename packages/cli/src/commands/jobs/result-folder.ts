/**
 * A folder with the results of one job: a file for each page, and `index.ndjson` with a line for each result. A line is
 * written behind its file, so the last line says what is there whenever the program ended, and a later run goes on there.
 */
import { type FileHandle, mkdir, open, readdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import type { api } from '@browserd/sdk';
import { Failure, wrongUsage } from '../../failure.ts';
import { writeWhole } from '../../whole-file.ts';
import { PageNames } from './page-names.ts';

export const indexName = 'index.ndjson';

/** A line of the index. */
export interface Entry {
  jobId: string;
  seq: number;
  url: string | null;
  finalUrl: string | null;
  status: api.JobResult['status'];
  statusCode: number | null;
  depth: number | null;
  foundOn: string | null;
  title?: string;
  /** In the folder; null where the page gave nothing. */
  file: string | null;
  /** The page has more text than one result may have. */
  truncated?: true;
  error: api.JobResult['error'];
  finishedAt: string;
}

/** What becomes of a page: the ending of its file, and its bytes. */
export interface PageFile {
  ending: string;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export class ResultFolder implements AsyncDisposable {
  readonly path: string;
  readonly #job: api.Job;
  readonly #names: PageNames;
  readonly #index: FileHandle;
  #lastSeq: number;

  private constructor(path: string, job: api.Job, names: PageNames, index: FileHandle, lastSeq: number) {
    this.path = path;
    this.#job = job;
    this.#names = names;
    this.#index = index;
    this.#lastSeq = lastSeq;
  }

  static async open(path: string, job: api.Job): Promise<ResultFolder> {
    const entries = await entriesIn(path, job.id);
    const names = new PageNames(job.url);
    names.take(indexName);
    // a file that is not in the index belongs to the person, and is not replaced
    for (const name of await readdir(path)) names.take(name);
    const index = await open(join(path, indexName), 'a');
    return new ResultFolder(path, job, names, index, entries.at(-1)?.seq ?? 0);
  }

  /** The last result that is in the folder. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Gives the name of the file; null where the page gave nothing. */
  async add(result: api.JobResult, page: PageFile | undefined): Promise<string | null> {
    const { seq, url, finalUrl, status, statusCode, depth, foundOn, error, finishedAt, scraped } = result;
    let file: string | null = null;
    if (page) {
      file = this.#names.next(finalUrl ?? url ?? `page-${result.index + 1}`, page.ending);
      await writeWhole(join(this.path, file), page.content, { replace: false });
    }
    const entry: Entry = {
      ...{ jobId: this.#job.id, seq, url, finalUrl, status, statusCode, depth, foundOn },
      ...(scraped?.title && { title: scraped.title }),
      file,
      ...(scraped?.truncated && { truncated: true }),
      ...{ error, finishedAt },
    };
    await this.#index.appendFile(`${JSON.stringify(entry)}\n`);
    this.#lastSeq = seq;
    return file;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#index.close();
  }
}

/** Looked at before a job is created, so that none runs for a folder that cannot take its results. */
export async function prepareFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const [first] = await linesOf(path);
  if (first !== undefined)
    throw wrongUsage(
      `${path} has the results of a job already (${jobOf(first) ?? 'unknown'}). Name another folder, or fetch the rest of that job with --resume.`,
    );
}

const jobOf = (line: string): string | undefined => {
  try {
    return (JSON.parse(line) as Partial<Entry>).jobId;
  } catch {
    return undefined;
  }
};

async function linesOf(path: string): Promise<string[]> {
  const text = await readFile(join(path, indexName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').filter((line) => line !== '');
}

/** A line that a killed program has left half written is taken away: its result comes again. */
async function entriesIn(path: string, jobId: string): Promise<Entry[]> {
  await mkdir(path, { recursive: true });
  const lines = await linesOf(path);
  const whole = lines.filter((line) => jobOf(line) !== undefined);
  if (whole.length < lines.length - 1)
    throw new Failure(`${join(path, indexName)} is not the index of a job. Name another folder.`);
  const other = whole.map(jobOf).find((id) => id !== jobId);
  if (other !== undefined)
    throw wrongUsage(`${path} has the results of ${other}, not of ${jobId}. Name another folder.`);
  const kept = whole.map((line) => `${line}\n`).join('');
  if (whole.length < lines.length) await truncate(join(path, indexName), Buffer.byteLength(kept));
  return whole.map((line) => JSON.parse(line) as Entry);
}
