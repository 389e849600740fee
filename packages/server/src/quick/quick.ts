/**
 * One request, one page, the result:
 *
 *   borrow ─> visit ─> scrape, picture or PDF ─> answer
 */
import type { Readable } from 'node:stream';
import { emulationOf } from '../browsers/browsers.ts';
import {
  type AtRest,
  aheadOf,
  type Compared,
  type ElementPicture,
  type FetchedFile,
  gatheringFor,
  type Pixels,
  pictureAtRest,
  printAtRest,
  printPdf,
  scrape,
  type Taken,
  takePicture,
  takeSeveral,
} from '../page/page.ts';
import { type CacheUse, freshnessOf } from './cache-use.ts';
import { pictureForm, picturesForm, printForm, type ScrapedPage, scrapedForm } from './forms.ts';
import { type Caller, GuestWork, type GuestWorkParts, type Made } from './guest-work.ts';
import { type Form, KeptAnswers, type KeptAnswersParts } from './kept-answers.ts';
import type { QuickPdf, QuickRequest, QuickScrape, QuickScraped, QuickScreenshot } from './schema.ts';

export type { FetchedFile, Onward } from '../page/page.ts';
export { cacheHeaders, isFromCache } from './cache-use.ts';
export type { Caller, Made } from './guest-work.ts';
export { checkSignIn, type SignInCheck } from './sign-in.ts';

export interface QuickParts extends GuestWorkParts {
  pixels: Pick<Pixels, 'check' | 'optimized' | 'compared'>;
  answers: KeptAnswersParts['cache'];
  dependsOn: KeptAnswersParts['dependsOn'];
}

/** Pictures are not waited for unless the caller asks how large they are, or for all that was asked of the network. */
const wordsOf = ({ include }: QuickScrape, gathering: AtRest | undefined): AtRest | undefined =>
  gathering && { ...gathering, words: !include.some((part) => ['images', 'har'].includes(part)) };

/** What was waited for is read even when the waiting took all the time. */
const leastMs = 5000;

export class Quick {
  readonly #parts: QuickParts;
  readonly #work: GuestWork;
  readonly #kept: KeptAnswers;

  constructor(parts: QuickParts) {
    this.#parts = parts;
    this.#work = new GuestWork(parts);
    const { answers: cache, events, dependsOn } = parts;
    this.#kept = new KeptAnswers({ cache, events, dependsOn });
  }

  async scrape(caller: Caller, request: QuickScrape): Promise<QuickScraped> {
    const began = performance.now();
    const { value, use } = await this.#given('scrape', caller, request, scrapedForm, (asking) =>
      this.#scrape(asking, request),
    );
    const elapsedMs = Math.round(performance.now() - began);
    return { ...value, ...(use && freshnessOf(use)), elapsedMs };
  }

  async #scrape(caller: Caller, request: QuickScrape): Promise<ScrapedPage> {
    const wanted = { ...request, include: request.include.filter((part) => part !== 'har') };
    const { made, har } = await this.#work.act(
      'scrape',
      caller,
      request,
      async ({ page, visited, captcha, atRest, left }) => {
        const timeoutMs = Math.max(left(), leastMs);
        const around = { timeoutMs, endBusyScripts: true, blank: page.blank, gathered: atRest };
        const { location, statusCode: _, ...scraped } = await scrape(page, wanted, around);
        return {
          url: request.url ?? location,
          finalUrl: location,
          statusCode: visited.statusCode,
          contentType: visited.contentType,
          ...scraped,
          ...(visited.timedOut && { timedOut: true }),
          captcha,
        };
      },
      wordsOf(request, gatheringFor(wanted, request.timeoutMs)),
    );
    return { ...made, ...(har !== undefined && { har: JSON.parse(har) }) };
  }

  async screenshot(caller: Caller, request: QuickScreenshot): Promise<Made<Buffer>> {
    const { value, use } = await this.#given('screenshot', caller, request, pictureForm, async (asking) => {
      const taken = await this.#picture(asking, request);
      const { bytes } = taken.made;
      return { ...taken, made: await this.#parts.pixels.optimized(caller.projectId, bytes, request) };
    });
    return { ...value, cache: use };
  }

  /** With the baseline that was asked for. The guest has been given back by then. */
  async compare(caller: Caller, request: QuickScreenshot): Promise<Made<Compared>> {
    const { pixels } = this.#parts;
    const { projectId } = caller;
    await pixels.check(projectId, request);
    const taken = await this.#picture(caller, request);
    return { ...taken, made: await pixels.compared(projectId, taken.made, request) };
  }

  #picture(caller: Caller, request: QuickScreenshot): Promise<Made<Taken>> {
    return this.#work.act(
      'screenshot',
      caller,
      request,
      ({ page, ...seen }) => takePicture(page, request, aheadOf(seen)),
      pictureAtRest(request, emulationOf(request).viewport),
    );
  }

  /** Of several elements of the page. */
  async pictures(
    caller: Caller,
    request: QuickScreenshot,
    selectors: readonly string[],
  ): Promise<Made<ElementPicture[]>> {
    const { value, use } = await this.#given('pictures', caller, request, picturesForm, async (asking) => {
      const taken = await this.#work.act('screenshot', asking, request, ({ page }) =>
        takeSeveral(selectors, request, async (one) => (await takePicture(page, one)).bytes),
      );
      const made: ElementPicture[] = [];
      for (const { selector, bytes } of taken.made)
        made.push({
          selector,
          bytes: await this.#parts.pixels.optimized(caller.projectId, bytes, request),
        });
      return { ...taken, made };
    });
    return { ...value, cache: use };
  }

  /** The guest is kept until the PDF has been read, or its reader has gone. */
  async pdf(caller: Caller, request: QuickPdf): Promise<Made<Readable>> {
    const { value, use } = await this.#given('pdf', caller, request, printForm, (asking) =>
      this.#work.act(
        'pdf',
        asking,
        request,
        ({ page, assets, ...seen }) => printPdf(page, { ...request, assets }, seen),
        printAtRest(request),
      ),
    );
    return { ...value, cache: use };
  }

  /** A kept answer where the caller takes one. */
  async #given<T>(
    action: string,
    caller: Caller,
    request: QuickRequest,
    form: Form<T>,
    make: (caller: Caller) => Promise<T>,
  ): Promise<{ value: T; use?: CacheUse }> {
    const { maxAgeMs } = request;
    if (maxAgeMs === undefined) return { value: await make(caller) };
    const order = { action, caller, request: { ...request, maxAgeMs }, form };
    return this.#kept.give({ ...order, make: (asking) => make({ ...caller, ...asking }) });
  }

  fetch(caller: Caller, request: QuickRequest & { url: string }): Promise<FetchedFile> {
    return this.#work.fetch(caller, request);
  }
}
