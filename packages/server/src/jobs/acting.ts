/** The action of a job on one page, as a quick action of its project in a slot that the job has. */
import type { Slot } from '../browsers/browsers.ts';
import type { Caller, Quick } from '../quick/quick.ts';
import type { QuickScraped } from '../quick/schema.ts';
import { quickSchemas } from './batch.ts';
import type { Capture, JobInWork, PageInWork, Tools, Visited } from './kind.ts';

export type JobQuick = Pick<Quick, 'scrape' | 'screenshot' | 'pdf' | 'fetch'>;

export interface Acting {
  quick: JobQuick;
  signal: AbortSignal;
  /** The slot that was taken for the page, and for each further action another; throws when there is none. */
  admit(): Slot;
  /** Where pages lead is wanted, too. */
  goesOn?: boolean;
}

/** That a file may take. */
const fileMs = 60_000;

const optionsOf = ({ request }: JobInWork): Record<string, unknown> => ({
  ...('options' in request && request.options),
  ...('profile' in request && request.profile && { profile: request.profile }),
});

const scrapedPage = (scraped: QuickScraped): Visited => ({
  finalUrl: scraped.finalUrl,
  statusCode: scraped.statusCode,
  fromCache: 'fromCache' in scraped && scraped.fromCache === true,
  scraped,
});

/** Counted from 1, with as many digits as sort well in a folder. */
const nameOf = (page: PageInWork, ending: string): string =>
  `${String(page.index + 1).padStart(5, '0')}.${ending}`;

export function toolsFor(job: JobInWork, page: PageInWork, { quick, signal, admit, goesOn }: Acting): Tools {
  const seen: Pick<Visited, 'onward' | 'retryAfter'> = {};
  const plain: Caller = { projectId: job.projectId, gone: signal, quiet: true, admit };
  const onward: Caller['onward'] = (found, { retryAfter }) => {
    Object.assign(seen, { onward: found, retryAfter });
  };
  const caller: Caller = goesOn ? { ...plain, onward } : plain;
  const capture = (ending: string, mimeType: string, content: Capture['content']): Capture => ({
    name: nameOf(page, ending),
    mimeType,
    content,
  });
  return {
    signal,
    fetch(url) {
      const fields = { ...optionsOf(job), url, timeoutMs: fileMs };
      return quick.fetch(plain, { ...quickSchemas[job.action ?? 'scrape'].parse(fields), url });
    },
    async act(more) {
      const fields = { ...optionsOf(job), ...more };
      if (job.action === 'screenshot') {
        const request = quickSchemas.screenshot.parse(fields);
        const { made, finalUrl, statusCode } = await quick.screenshot(caller, request);
        const { format } = request;
        const ending = format === 'jpeg' ? 'jpg' : format;
        return { ...seen, finalUrl, statusCode, capture: capture(ending, `image/${format}`, made) };
      }
      if (job.action === 'pdf') {
        const request = quickSchemas.pdf.parse(fields);
        const { made, finalUrl, statusCode } = await quick.pdf(caller, request);
        return { ...seen, finalUrl, statusCode, capture: capture('pdf', 'application/pdf', made) };
      }
      const scraped = await quick.scrape(caller, quickSchemas.scrape.parse(fields));
      return { ...seen, ...scrapedPage(scraped) };
    },
  };
}
