/** What a page shows, in the form the caller can use best. */
import type { Running } from '../../browsers/browsers.ts';
import { ApiError, type ErrorCode, errorView } from '../../errors.ts';
import type { Expression } from '../../kit/page-program.ts';
import type { RunOutcome } from '../../runner/runner.ts';
import type { Asked } from '../inside/inside.ts';
import { lookAtPage, scrapeProgram } from '../reach/reach.ts';
import type { Observation, ObservationRequest } from './schema.ts';

const observeMs = 10_000;

const whole: Omit<Asked, 'form' | 'ms'> = {
  mainContent: false,
  include: [],
  from: 0,
  most: Number.MAX_SAFE_INTEGER,
  citations: true,
  shadow: true,
  framesRead: true,
};

/** HTML as it is, for callers that write selectors; Markdown and text as a scrape gives them. */
function readerOf(kind: Asked['form'], selector: string | undefined): Expression<string | null> {
  const root =
    selector === undefined
      ? 'document.documentElement'
      : `document.querySelector(${JSON.stringify(selector)})`;
  if (kind === 'html') return `${root}?.outerHTML ?? null`;
  return scrapeProgram.call('content', { ...whole, form: kind, selector, ms: observeMs });
}

/** Reads the accessibility tree, with references that later calls understand. */
export interface AriaReader {
  observe(call: { tabId: string; timeoutMs: number; selector?: string }): Promise<RunOutcome>;
}

class NothingThereError extends Error {}

async function read(
  running: Running,
  aria: AriaReader,
  tabId: string,
  asked: ObservationRequest,
): Promise<string> {
  if (asked.kind === 'aria') {
    const outcome = await aria.observe({ tabId, timeoutMs: observeMs, selector: asked.selector });
    if (outcome.ok) return String(outcome.result ?? '');
    if (outcome.error?.playwright?.selector) throw new NothingThereError(outcome.error.message);
    throw new Error(outcome.error?.message ?? 'The page could not be observed.');
  }
  const text = await lookAtPage(running, tabId, readerOf(asked.kind, asked.selector));
  if (text === null) throw new NothingThereError(`Nothing on the page matches ${asked.selector}.`);
  return text;
}

/** Last observations by tab and kind, to tell whether the page changed. */
export type Seen = Map<string, string>;

export async function observe(
  running: Running,
  aria: AriaReader,
  tabId: string,
  asked: ObservationRequest,
  seen: Seen,
): Promise<Observation | undefined> {
  const [dialog] = running.live.dialogs.waiting(tabId);
  if (dialog)
    return nothingSeen(
      asked,
      'DIALOG_OPEN',
      `A dialog holds up the page; answer it: POST …/dialogs/${dialog.id}.`,
    );
  const key = JSON.stringify([tabId, asked.kind, asked.selector]);
  try {
    const whole = await read(running, aria, tabId, asked);
    const changed = seen.get(key) !== whole;
    seen.set(key, whole);
    if (asked.includeOn === 'change' && !changed) return undefined;
    const content = whole.slice(0, asked.maxChars);
    return {
      kind: asked.kind,
      content,
      chars: whole.length,
      truncated: content.length < whole.length,
      changed,
    };
  } catch (error) {
    const code = error instanceof NothingThereError ? 'SELECTOR_NOT_FOUND' : 'BROWSER_UNRESPONSIVE';
    return nothingSeen(asked, code, (error as Error).message);
  }
}

const nothingSeen = ({ kind }: ObservationRequest, code: ErrorCode, message: string): Observation => ({
  kind,
  content: '',
  chars: 0,
  truncated: false,
  changed: false,
  error: errorView(new ApiError(code, message)),
});
