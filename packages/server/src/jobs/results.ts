/**
 * The results of pages. A scrape is JSON in the row of its page while it is small, and bytes beside the files otherwise;
 * a picture or a PDF is a file of the project. All of it counts into the project's quota.
 */
import type { KeptBytes } from '../artifacts/artifacts.ts';
import { type ProjectFiles, projectFileView } from '../files/files.ts';
import { iso } from '../kit/clock.ts';
import { newId } from '../kit/id.ts';
import type { JobPageRecord, PageOutcome } from '../store/records.ts';
import type { JobInWork, Visited } from './kind.ts';
import type { JobAction, JobResult } from './schema.ts';

export interface ResultParts {
  bytes: Pick<KeptBytes, 'takeIn' | 'open' | 'discard' | 'place'>;
  files: Pick<ProjectFiles, 'add' | 'remove'>;
  /** Masks the values of the project's secrets in JSON. */
  mask(projectId: string, json: string): string;
}

/** A list of a hundred results is read at once. */
const mostInRow = 64 * 1024;
const mostBytes = 32 * 1024 ** 2;

export type KeptResult = Pick<PageOutcome, 'result' | 'resultId' | 'resultNode' | 'size' | 'file'>;

export const noResult: KeptResult = { result: null, resultId: null, resultNode: null, size: 0, file: null };

/** A capture that is not read to its end holds the browser that it is read from until the longest time for reading is over. */
export function letGo({ capture }: Pick<Visited, 'capture'>): void {
  if (capture && 'destroy' in capture.content) capture.content.destroy();
}

export class Results {
  readonly #parts: ResultParts;

  constructor(parts: ResultParts) {
    this.#parts = parts;
  }

  /** Before the page is settled; what is not used then is to be discarded. */
  async keep(
    job: JobInWork,
    { scraped, capture }: Pick<Visited, 'scraped' | 'capture'>,
  ): Promise<KeptResult> {
    const { bytes, files, mask } = this.#parts;
    const { projectId } = job;
    if (capture) {
      const source = job.action as Exclude<JobAction, 'scrape'>;
      try {
        const record = await files.add({ projectId, jobId: job.id, source, ...capture });
        return { ...noResult, file: { ...projectFileView(record) } };
      } finally {
        letGo({ capture });
      }
    }
    if (!scraped) return noResult;
    const result = mask(projectId, JSON.stringify(scraped));
    const body = Buffer.from(result);
    if (body.length <= mostInRow) return { ...noResult, result, size: body.length };
    const resultId = newId('result');
    const { size } = await bytes.takeIn(resultId, projectId, {
      body,
      expectedBytes: body.length,
      limitBytes: mostBytes,
    });
    return { ...noResult, resultId, resultNode: bytes.place, size };
  }

  async discard(projectId: string, { resultId, file }: KeptResult): Promise<void> {
    if (resultId !== null) await this.#parts.bytes.discard(resultId);
    if (file !== null) await this.#parts.files.remove(projectId, String(file.id));
  }

  async show(page: JobPageRecord): Promise<JobResult> {
    const stored = page.result ?? (page.resultId === null ? undefined : await this.#read(page.resultId));
    const isAway = page.resultId !== null && stored === undefined;
    return {
      seq: page.seq ?? 0,
      index: page.idx,
      url: page.url,
      finalUrl: page.finalUrl,
      statusCode: page.statusCode,
      status: page.status as JobResult['status'],
      depth: page.depth,
      foundOn: page.foundOn,
      source: page.source as JobResult['source'],
      attempts: page.attempts,
      fromCache: page.fromCache === 1,
      error: isAway ? elsewhere : page.error,
      ...(stored !== undefined && { scraped: JSON.parse(stored) }),
      ...(page.file !== null && { file: page.file as JobResult['file'] }),
      finishedAt: iso(page.finishedAt ?? 0),
    };
  }

  async #read(id: string): Promise<string | undefined> {
    const content = await this.#parts.bytes.open(id);
    return content && Buffer.concat(await content.toArray()).toString();
  }
}

const elsewhere = {
  code: 'RESULT_UNREADABLE',
  message:
    'The content of this result lies on the disk of another node, or was lost with it. Ask that node for it.',
};
