/**
 * A page is made ready for its picture or PDF, as a person would before printing it:
 *
 *   (on a tab: waited for) ─> rules and media ─> scripts ─> clicks ─> scrolled through ─> a delay ─> is it a page the caller wants at all?
 *
 * What only the capture is to see is taken back with `undo`, so a tab stays as its caller has it; clicks and scripts stay.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../errors.ts';
import { lookInto, type PageTarget, pageCrashed, stagingProgram } from '../reach/reach.ts';
import {
  type Loading,
  PageCrashed,
  PageFailed,
  settle,
  VisitTimeout,
  type Waiting,
  waitForOnTab,
  watchLoading,
} from '../visit/visit.ts';
import { clickOn } from './clicks.ts';
import { runScript } from './page-scripts.ts';
import type { ReadyRequest, TabReadyRequest } from './schema.ts';
import { scrollThrough } from './scrolling.ts';

export { addEarlyScripts } from './page-scripts.ts';
export { judge, type SeenFaults, statusOf, watchFaults } from './wanted.ts';

const usualScreens = 100;

const readyNames = [
  'media',
  'colorScheme',
  'addStyle',
  'hide',
  'remove',
  'addScript',
  'click',
  'scroll',
  'delay',
  'failOn',
] as const;

/** Whether anything is to be done at all. */
export const asksForReadiness = (asked: ReadyRequest): boolean =>
  readyNames.some((name) => asked[name] !== undefined && asked[name] !== false);

export const makeReady = (
  page: PageTarget,
  asked: ReadyRequest & { timeoutMs: number },
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<void> => orExplained(page, asked, waiting, () => perform(page, asked, waiting, undo));

/** Of a tab, whose page no visit has waited for. */
export const makeTabReady = (
  page: PageTarget,
  asked: TabReadyRequest & { timeoutMs: number },
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<void> =>
  orExplained(page, asked, waiting, async () => {
    if (asked.waitFor !== undefined) await waitForOnTab(page, asked.waitFor, waiting);
    await perform(page, asked, waiting, undo);
  });

async function orExplained(
  page: PageTarget,
  asked: { timeoutMs: number },
  waiting: Waiting,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    waiting.signal.throwIfAborted();
    if (error instanceof PageCrashed) throw pageCrashed(page);
    if (error instanceof PageFailed && error.failure) throw wentNowhere(error.failure);
    if (!isLate(error)) throw error;
    throw new ApiError(
      'QUICK_ACTION_TIMEOUT',
      `The page was not ready to be captured within ${asked.timeoutMs} ms. Raise \`timeoutMs\`, or ask for less before the capture.`,
      { details: { timeoutMs: asked.timeoutMs }, cause: error },
    );
  }
}

const wentNowhere = ({ url, errorText }: { url: string; errorText: string }): ApiError =>
  new ApiError(
    'NAVIGATION_FAILED',
    `Before it was captured the page went to ${url}, which could not be loaded (${errorText}). See what \`click\` and \`addScript\` do.`,
    { details: { reason: errorText, url } },
  );

/** Chromium waits for the page, which does not answer, or for a promise that it never keeps. */
const isLate = (error: unknown): boolean =>
  error instanceof VisitTimeout || (error instanceof ApiError && error.code === 'BROWSER_UNRESPONSIVE');

async function perform(
  page: PageTarget,
  asked: ReadyRequest,
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<void> {
  const { addScript = [], click = [], scroll, delay } = asked;
  await dress(page, asked, waiting, undo);
  const later = addScript.flatMap(({ content, when }, index) =>
    when === 'before' ? [] : [{ content, index }],
  );
  if (later.length > 0 || click.length > 0 || scroll) {
    await using watched = new AsyncDisposableStack();
    const loading = await watchLoading(page, waiting, watched);
    loading.expect(undefined);
    for (const { content, index } of later) await runScript(page, content, `addScript[${index}]`, waiting);
    if (later.length > 0) await settle(page, loading, waiting, { all: false });
    await clickAll(page, click, loading, waiting);
    // Another document has come, which has none of the rules.
    if (loading.hasMoved) await dress(page, asked, waiting, undo);
    if (scroll) {
      const most = scroll === true ? usualScreens : scroll.maxScreens;
      await scrollThrough(page, most, loading, waiting);
    }
  }
  if (delay) await sleep(Math.min(delay, Math.max(waiting.left(), 0)), undefined, { signal: waiting.signal });
}

async function clickAll(
  page: PageTarget,
  clicks: NonNullable<ReadyRequest['click']>,
  loading: Loading,
  waiting: Waiting,
): Promise<void> {
  for (const [index, each] of clicks.entries()) {
    const { selector, optional } = typeof each === 'string' ? { selector: each, optional: false } : each;
    if (!(await clickOn(page, selector, { path: `click[${index}]`, optional }, waiting))) continue;
    await settle(page, loading, waiting, { all: false });
  }
}

async function dress(
  page: PageTarget,
  { media, colorScheme, addStyle = [], hide = [], remove = [] }: ReadyRequest,
  waiting: Waiting,
  undo: AsyncDisposableStack,
): Promise<void> {
  const rules = [addStyle].flat();
  if ((media ?? colorScheme) !== undefined) await setMedia(page, { media, colorScheme }, undo);
  if (rules.length + hide.length + remove.length === 0) return;
  const put = await lookInto(page, stagingProgram.call('dress', rules, hide, remove), waiting.left());
  undo.defer(() => lookInto(page, stagingProgram.callLoaded('undress')).catch(() => undefined));
  if (put === true) return;
  const path = hide.includes(put.wrong) ? 'hide' : 'remove';
  throw new ApiError(
    'VALIDATION_FAILED',
    `\`${path}\` has what is not a CSS selector: ${put.wrong.slice(0, 200)}`,
    {
      details: { issues: [{ path, reason: 'not a CSS selector' }] },
    },
  );
}

/** Chromium takes all at once: what the page believes about colours and motion has to be said again. */
export async function setMedia(
  page: PageTarget,
  { media = '', colorScheme }: { media?: string; colorScheme?: string },
  undo: AsyncDisposableStack,
): Promise<void> {
  const { cdp, sessionId } = page;
  const usual = page.media?.() ?? [];
  const set = (now: string, features: { name: string; value: string }[]): Promise<unknown> =>
    cdp.send('Emulation.setEmulatedMedia', { media: now, features }, { sessionId });
  const name = 'prefers-color-scheme';
  const others = usual.filter((feature) => feature.name !== name);
  undo.defer(async () => void (await set('', usual).catch(() => undefined)));
  await set(media, colorScheme ? [...others, { name, value: colorScheme }] : usual);
}
