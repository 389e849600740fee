import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Running } from '../browsers/browsers.ts';
import type { RunOutcome } from '../runner/runner.ts';
import { lookAtPage } from './look.ts';
import type { Observation, ObservationRequest } from './schema.ts';

/** What a page shows, in the form the caller can use best. */
const observeMs = 10_000;

const rootOf = (selector: string | undefined): string =>
  selector === undefined ? 'document.documentElement' : `document.querySelector(${JSON.stringify(selector)})`;

/** Turndown runs in the page's isolated world: what a page contains is never parsed by the service. */
let turndown: string | undefined;
const turndownSource = (): string => {
  turndown ??= readFileSync(createRequire(import.meta.url).resolve('turndown/dist/turndown.js'), 'utf8');
  return turndown;
};

const markdown = (): string => `(root) => {
  const module = { exports: {} }; const exports = module.exports;
  (function () { ${turndownSource()}; module.exports = TurndownService; }).call(globalThis);
  const service = new module.exports({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  service.remove(['script', 'style', 'noscript', 'template', 'svg', 'iframe']);
  return service.turndown(root);
}`;

const readers: Record<'text' | 'html' | 'markdown', () => string> = {
  text: () => '(root) => (root === document.documentElement ? document.body : root)?.innerText ?? ""',
  html: () => '(root) => root.outerHTML',
  markdown,
};

/** Whoever can read the accessibility tree with references that later calls understand. */
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
  const expression = `((root) => root === null ? null : (${readers[asked.kind]()})(root))(${rootOf(asked.selector)})`;
  const text = await lookAtPage<string | null>(running, tabId, expression);
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

const nothingSeen = ({ kind }: ObservationRequest, code: string, message: string): Observation => ({
  kind,
  content: '',
  chars: 0,
  truncated: false,
  changed: false,
  error: { code, message },
});
