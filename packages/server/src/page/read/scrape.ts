/** The content of the page as it is now. All reading is done inside the page (`inside/`); only the answer comes out. */
import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import type { Asked, Filled, Found, Gathered, Reading } from '../inside/inside.ts';
import {
  dataProgram,
  endScript,
  lookInto,
  nearestCandidates,
  PageBusyError,
  type PageSession,
  scrapeProgram,
} from '../reach/reach.ts';
import { type AtRest, badSelector } from '../visit/visit.ts';
import { framesInto } from './frame-contents.ts';
import { gathering, readAside } from './read-aside.ts';
import type { Scraped, ScrapeRequest } from './schema.ts';
import { wantedOf } from './wanted-data.ts';

export interface ScrapeAround {
  timeoutMs: number;
  /** The page is ours alone: a script of it that never ends is ended, so that it can be read. */
  endBusyScripts?: boolean;
  /** Of the same Chromium, where most of the work can be done. */
  blank?: PageSession;
  /** What `gatheringFor` gave of the page, which is as it was then. */
  gathered?: unknown;
}

/** The first half of a scrape, for a look at the page that is taken anyway; undefined: its frames come first. */
export const gatheringFor = (request: ScrapeRequest, ms: number): AtRest | undefined =>
  request.includeFrames ? undefined : gathering(askedOf(request, false, ms));

/** Where the page really is, besides what was asked for. */
export interface ScrapedPage extends Scraped {
  location: string;
  /** As the page itself knows it; null where it does not. */
  statusCode: number | null;
}

export async function scrape(
  page: PageSession,
  request: ScrapeRequest,
  around: ScrapeAround,
): Promise<ScrapedPage> {
  const answer = await read(page, request, around.timeoutMs, around).catch(async (error: unknown) => {
    if (!(error instanceof PageBusyError)) throw error;
    if (!around.endBusyScripts) throw busy(around.timeoutMs);
    await endScript(page);
    return read(page, request, lastMs).catch(() => {
      throw busy(around.timeoutMs);
    });
  });
  if ('badSelector' in answer) throw badSelector(answer.badSelector.path, answer.badSelector.selector);
  if ('nothing' in answer) throw await notFound(page, request.selector ?? '');
  return shape(request, answer);
}

/** Of the same document, right after it was read. */
async function withData(page: PageSession, { schema }: ScrapeRequest, own: Own, ms: number): Promise<Own> {
  if (!schema || !('content' in own)) return own;
  const filled = await lookInto(page, dataProgram.call('fill', wantedOf(schema), ms), ms).catch((error) => {
    // The page itself has just been read, so it is not what takes so long.
    throw error instanceof PageBusyError ? notFilled(ms) : error;
  });
  return 'badSelector' in filled ? filled : { ...own, filled };
}

/** A page may leave for another one at any moment: then that one is read. */
async function read(
  page: PageSession,
  request: ScrapeRequest,
  ms: number,
  { blank, gathered }: Pick<ScrapeAround, 'blank' | 'gathered'> = {},
): Promise<Own> {
  for (let attempt = 1; ; attempt++)
    try {
      const aside = blank && { blank, ...(attempt === 1 && { gathered: gathered as Gathered | undefined }) };
      return await readOnce(page, request, ms, aside);
    } catch (error) {
      if ((error as Error).name !== 'CdpError') throw error;
      if (attempt === mostAttempts)
        throw new ApiError(
          'BROWSER_UNRESPONSIVE',
          'The page kept leaving, or was closed, while it was read.',
        );
      await setTimeout(againMs);
    }
}

/** What the page itself says, when its frames have been read. */
type Own = Exclude<Reading, { framesFirst: true } | Found> | Whole;

/** With what was filled of the caller's schema. */
interface Whole extends Found {
  filled?: Filled;
}

async function readOnce(
  page: PageSession,
  request: ScrapeRequest,
  ms: number,
  beside?: { blank: PageSession; gathered?: Gathered | undefined },
): Promise<Own> {
  const { includeFrames: all, includeShadow: shadow } = request;
  const frames = () => framesInto(page, { all, shadow, timeoutMs: ms });
  const own = (framesRead: boolean) =>
    lookInto(page, scrapeProgram.call('scrape', askedOf(request, framesRead, ms)), ms);
  const aside = beside && !all && (await readAside(page, beside.blank, askedOf(request, false, ms), beside));
  if (aside) return withData(page, request, aside, ms);
  if (all) await frames();
  const reading = await own(all);
  if (!('framesFirst' in reading)) return withData(page, request, reading, ms);
  await frames();
  return withData(page, request, (await own(true)) as Own, ms);
}

const mostAttempts = 5;
const againMs = 200;
const lastMs = 10_000;
const busy = (timeoutMs: number): ApiError =>
  new ApiError(
    'QUICK_ACTION_TIMEOUT',
    `The page could not be read within ${timeoutMs} ms: its scripts do not end, or it is too large. Raise \`timeoutMs\`, or name a part with \`selector\`.`,
    { details: { timeoutMs } },
  );

const notFilled = (timeoutMs: number): ApiError =>
  new ApiError(
    'QUICK_ACTION_TIMEOUT',
    `\`schema\` could not be filled within ${Math.round(timeoutMs)} ms: a \`pattern\` of it takes too long, or the page has too much. Raise \`timeoutMs\`, or make the pattern simpler.`,
    { details: { timeoutMs: Math.round(timeoutMs) } },
  );

const askedOf = (request: ScrapeRequest, framesRead: boolean, ms: number): Asked => ({
  form: request.format === 'json' ? 'markdown' : request.format,
  mainContent: request.mainContent,
  selector: request.selector,
  extract: request.extract,
  include: request.include,
  from: request.startFromChar,
  most: request.maxChars,
  citations: request.citations,
  shadow: request.includeShadow,
  framesRead,
  ms,
});

async function notFound(page: PageSession, selector: string): Promise<ApiError> {
  const candidates = await nearestCandidates(page, selector);
  const near = candidates.length > 0 ? ` Nearest: ${candidates.join(', ')}.` : '';
  return new ApiError('SELECTOR_NOT_FOUND', `Nothing on the page matches ${selector.slice(0, 200)}.${near}`, {
    details: { selector, candidates },
  });
}

function shape(request: ScrapeRequest, found: Whole): ScrapedPage {
  const { title, description, chars, next, cut, extras, data, url: location, statusCode } = found;
  return {
    location,
    statusCode: statusCode || null,
    title,
    description,
    format: request.format,
    content: contentOf(request, found),
    chars,
    truncated: cut || next !== undefined,
    ...(next !== undefined && { nextStart: next }),
    ...extras,
    ...(data && { data }),
    ...found.filled,
  };
}

function contentOf({ format, startFromChar }: ScrapeRequest, found: Found): unknown {
  const { kind, content, facts, title, description } = found;
  if (kind === 'image')
    return format === 'json' ? { title, description, sections: [] } : imageOf(format, found.url);
  const whole = startFromChar === 0 && found.next === undefined;
  if (kind === 'json' && format === 'json' && whole) return parsed(content);
  if (format === 'json') {
    const { language, author, siteName, publishedAt } = facts;
    return { title, description, language, author, siteName, publishedAt, sections: sectionsOf(content) };
  }
  if (format === 'markdown' && whole && (kind === 'json' || kind === 'xml'))
    return `\`\`\`${kind}\n${content.trim()}\n\`\`\``;
  return content;
}

const imageOf = (format: string, url: string): string =>
  format === 'markdown'
    ? `![](${url})`
    : format === 'html'
      ? `<img src="${url.replaceAll('"', '%22')}">`
      : url;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Cut at the headings, outside blocks of code. */
function sectionsOf(markdown: string): { level: number; heading: string; text: string }[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [
    { level: 0, heading: '', lines: [] },
  ];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const ticks = /^`{3,}/.exec(line)?.[0];
    if (ticks && (!fence || line === fence)) fence = fence ? '' : ticks;
    const heading = fence ? null : /^(#{1,6}) (.*)$/.exec(line);
    if (heading) sections.push({ level: heading[1]?.length ?? 1, heading: heading[2] ?? '', lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ level, heading, lines }) => ({ level, heading, text: lines.join('\n').trim() }))
    .filter(({ level, text }) => level > 0 || text);
}
