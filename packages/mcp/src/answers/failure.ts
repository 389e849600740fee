/** A failure for a model, in words that lead to its next call. */
import { BrowserdError, ScriptError } from '@browserd/sdk';
import { fenced, oneLine } from './page-content.ts';

export interface Failure {
  code: string;
  message: string;
  nextStep: string;
  details: Record<string, unknown>;
  /** Its message or details may quote the page: an error that page code threw, text that was found instead. */
  quotesPage: boolean;
}

/** The next steps of the API as calls of tools. */
const hints: Record<string, string> = {
  fix_request: 'Correct the arguments and call again.',
  authenticate: 'The API key is missing or not valid: ask the person who set up this server.',
  wait: 'Wait a few seconds and call again.',
  retry: 'Call again.',
  observe: 'Look at the page with browser_observe, then act on what it shows now.',
  handle_dialog: 'Answer the dialog with browser_dialog.',
  resolve_captcha: 'Ask a person with browser_wait_for_human.',
  resume_browser: 'Call browser_manage with the action resume.',
  create_browser: 'Call browser_create.',
  change_policy: 'The browser may not go there. Stay within its policy, or ask for one that allows it.',
  reduce_size: 'Ask for less at once.',
  ask_operator: 'Ask the person who runs the service.',
};

const longestMessage = 2000;
const longestDetails = 2000;

export const failure = (code: string, message: string, nextStep = 'fix_request'): BrowserdError =>
  new BrowserdError({ code, message, category: 'validation', nextStep }, 0);

export function failureOf(error: unknown): Failure {
  if (!(error instanceof BrowserdError))
    return {
      code: 'INTERNAL',
      message: 'The tool failed.',
      nextStep: 'retry',
      details: {},
      quotesPage: false,
    };
  const { code, message, nextStep, category, details } = error;
  if (error instanceof ScriptError)
    return {
      code,
      message,
      nextStep,
      details: { ...details, stack: error.scriptStack },
      quotesPage: true,
    };
  return { code, message, nextStep, details, quotesPage: category !== 'validation' };
}

/** One line for each field, so that a message cannot pretend to be the next step. */
export function failureText({ code, message, nextStep, details, quotesPage }: Failure): string {
  const { requestId, ...more } = details;
  const found =
    Object.keys(more).length > 0 ? [`details: ${oneLine(JSON.stringify(more), longestDetails)}`] : [];
  const said = [`message: ${oneLine(message, longestMessage)}`, ...found].join('\n');
  return [
    `code: ${code}`,
    `nextStep: ${nextStep}. ${hints[nextStep] ?? ''}`.trim(),
    quotesPage ? fenced(said) : said,
    ...(typeof requestId === 'string' ? [`requestId: ${requestId}`] : []),
  ].join('\n');
}
