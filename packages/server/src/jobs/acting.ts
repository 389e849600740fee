/** The action of a job on one page, as a quick action of its project in a slot that the job has. */
import type { Slot } from '../browsers/browsers.ts';
import type { Caller, Quick } from '../quick/quick.ts';
import type { QuickScrape, QuickScraped } from '../quick/schema.ts';
import { quickSchemas } from './batch.ts';
import type { Capture, JobInWork, PageInWork, Tools, Visited } from './kind.ts';

export type JobQuick = Pick<Quick, 'scrape' | 'screenshot' | 'pdf'>;

export interface Acting {
  quick: JobQuick;
  signal: AbortSignal;
  /** The slot that was taken for the page, and for each further action another; throws when there is none. */
  admit(): Slot;
}

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

export function toolsFor(job: JobInWork, page: PageInWork, { quick, signal, admit }: Acting): Tools {
  const caller: Caller = { projectId: job.projectId, gone: signal, admit };
  const capture = (ending: string, mimeType: string, content: Capture['content']): Capture => ({
    name: nameOf(page, ending),
    mimeType,
    content,
  });
  return {
    signal,
    scrape: (request: QuickScrape) => quick.scrape(caller, request),
    async act(more) {
      const fields = { ...optionsOf(job), ...more };
      if (job.action === 'screenshot') {
        const request = quickSchemas.screenshot.parse(fields);
        const { made, finalUrl, statusCode } = await quick.screenshot(caller, request);
        const { format } = request;
        const ending = format === 'jpeg' ? 'jpg' : format;
        return { finalUrl, statusCode, capture: capture(ending, `image/${format}`, made) };
      }
      if (job.action === 'pdf') {
        const request = quickSchemas.pdf.parse(fields);
        const { made, finalUrl, statusCode } = await quick.pdf(caller, request);
        return { finalUrl, statusCode, capture: capture('pdf', 'application/pdf', made) };
      }
      return scrapedPage(await quick.scrape(caller, quickSchemas.scrape.parse(fields)));
    },
  };
}
