/**
 * A batch: the caller's own list of pages, each visited as a quick action. The list is checked when the job is made, in steps,
 * because ten thousand items take longer than one turn of the loop.
 */
import { z } from 'zod';
import { quickPdfSchema, quickScrapeSchema, quickScreenshotSchema } from '../quick/schema.ts';
import type { FirstPage, JobInWork, JobKind, PageInWork, Tools } from './kind.ts';
import type { CreateBatch, CreateCrawl, CreateMap, JobAction } from './schema.ts';

export const quickSchemas = {
  scrape: quickScrapeSchema,
  screenshot: quickScreenshotSchema,
  pdf: quickPdfSchema,
} as const satisfies Record<JobAction, z.ZodType>;

type Item = CreateBatch['items'][number];
type Issue = z.core.$ZodIssue;

const itemsInStep = 50;
/** A list of ten thousand wrong items is not told one by one. */
const mostIssues = 50;

const pageAddress = z.url({ protocol: /^https?$/ }).max(16_384);
const isPlain = (item: Item): boolean => Object.keys(item).length === 1 && item.url !== undefined;

/** Of a field that a job cannot do, though the quick action can. */
function refused(action: JobAction, fields: Record<string, unknown>): Issue[] {
  return Object.entries(action === 'scrape' ? { store: reasons.store } : reasons)
    .filter(([name]) => fields[name] !== undefined)
    .map(([name, message]) => ({ code: 'custom', path: [name], message, input: undefined }));
}

const reasons = {
  store: 'not in a job, which keeps its results by itself',
  selectors: 'not in a job: give each picture an item of its own, with `selector`',
  include: 'not in a job of captures, which has no HAR',
  baseline: 'not in a job: compare pictures with quick screenshots',
};

/** What is wrong with the fields of a page, where the caller wrote it: in the item, or in the options of all. */
function issuesOf(
  { action, options }: Pick<CreateBatch, 'action' | 'options'>,
  fields: Record<string, unknown>,
  place: PropertyKey[],
): Issue[] {
  const read = quickSchemas[action].safeParse({ ...options, ...fields });
  const issues = [...refused(action, { ...options, ...fields }), ...(read.error?.issues ?? [])];
  return issues.map((issue) => {
    const [first = ''] = issue.path;
    const isCommon = first in options && !(first in fields);
    return { ...issue, path: [...(isCommon ? ['options'] : place), ...issue.path] };
  });
}

/** Throws a `ZodError` that names each fault by its place in the request. */
export function* checkBatch(request: CreateBatch): Generator<undefined, void> {
  const issues: Issue[] = [];
  let plainChecked = false;
  for (const [index, item] of request.items.entries()) {
    if (index % itemsInStep === 0) yield;
    if (issues.length >= mostIssues) break;
    const place = ['items', index];
    // Items that only name an address differ in nothing else: what is common to them is checked with the first.
    if (!isPlain(item) || !plainChecked) {
      issues.push(...issuesOf(request, item, place));
      plainChecked ||= isPlain(item);
    } else {
      const { error } = pageAddress.safeParse(item.url);
      issues.push(...(error?.issues ?? []).map((issue) => ({ ...issue, path: [...place, 'url'] })));
    }
  }
  if (issues.length > 0) throw new z.ZodError(issues);
}

/** Throws a `ZodError` when the options are none of the action. */
export function checkCrawl({ url, options, ...request }: CreateCrawl | CreateMap): void {
  const action = request.kind === 'crawl' ? request.action : 'scrape';
  const issues = issuesOf({ action, options }, { url }, []);
  if (issues.length > 0) throw new z.ZodError(issues);
}

export const batch: JobKind<CreateBatch> = {
  first: ({ items }): FirstPage[] =>
    items.map((item) => ({
      url: item.url ?? null,
      key: null,
      ...(!isPlain(item) && { item }),
    })),

  visit: (_job: JobInWork<CreateBatch>, { url, item }: PageInWork, tools: Tools) =>
    tools.act({ ...item, ...(url !== null && { url }) }),
};
