/**
 * What went wrong, in words an agent can act on. Playwright and Chromium tell it in prose; this reads it once,
 * together with what the service saw during the call, and names one cause.
 */
import { type ExitTroubles, type NavigationVerdict, navigationVerdict } from '../../browsers/browsers.ts';
import type { Dialog } from '../../browsers/record/dialog-schema.ts';
import { type ApiError, type Category, type ErrorCode, errorTable, type NextStep } from '../../errors.ts';
import type { RunOutcome } from '../../runner/runner.ts';
import type { ScriptError } from './schema.ts';

export interface Surroundings extends ExitTroubles {
  /** The last file that the policy kept from a page, during the call. */
  fileRefusal?: { message: string; rule: string };
  /** Why the service typed no secret, if it refused one during the call. */
  secretRefusal?: Pick<ApiError, 'code' | 'message' | 'details'>;
  /** Console lines of the browser about requests that CORS stopped, during the call. */
  corsLines: string[];
  crashed: boolean;
  crashReason?: string;
  /** The dialog that the script waited for without knowing. */
  openDialog?: Dialog;
  candidates?: string[];
}

type Failure = NonNullable<RunOutcome['error']>;

const tooManyTabs = /The browser has as many tabs as it may \(\d+\)\. Close one first\./;
const dialogVerdict = (failure: Failure, { id, type, message, tabId }: Dialog): NavigationVerdict => ({
  code: 'DIALOG_OPEN',
  message: `${failure.message.split('\n', 1)[0]}: a dialog (${type}: “${message.slice(0, 200)}”) holds up the page. Answer it: POST …/dialogs/${id}.`,
  details: { dialog: { id, type, message, tabId } },
});

function verdictOn(failure: Failure, around: Surroundings, timeoutMs: number): NavigationVerdict {
  if (around.openDialog) return dialogVerdict(failure, around.openDialog);
  if (failure.code === 'SCRIPT_TIMEOUT')
    return {
      code: 'SCRIPT_TIMEOUT',
      message: `The code did not end within ${timeoutMs} ms and was ended. Raise \`timeoutMs\` (at most 120000) or do less in one call.`,
      details: { timeoutMs },
    };
  if (failure.code === 'SCRIPT_SYNTAX')
    return { code: 'SCRIPT_SYNTAX', details: { line: failure.line, column: failure.column } };
  if (failure.code === 'RUNNER_DIED') return { code: 'SCRIPT_ABORTED' };
  if (failure.code && failure.code in errorTable) return { code: failure.code as ErrorCode };
  if (around.crashed || /page crashed|target crashed/i.test(failure.message))
    return {
      code: 'PAGE_CRASHED',
      message: around.crashReason && `The page crashed (${around.crashReason}). Navigate the tab again.`,
      details: { reason: around.crashReason },
    };
  if (tooManyTabs.test(failure.message))
    return { code: 'TOO_MANY_TABS', message: tooManyTabs.exec(failure.message)?.[0] };
  const { fileRefusal, secretRefusal } = around;
  if (secretRefusal && failure.message.includes(secretRefusal.message)) return secretRefusal;
  if (fileRefusal && failure.message.includes(fileRefusal.message))
    return { code: 'POLICY_BLOCKED', details: { rule: fileRefusal.rule } };
  const navigation = navigationVerdict(failure, around);
  if (navigation) return navigation;
  const { playwright } = failure;
  if (failure.name === 'TimeoutError' && playwright?.selector && playwright.matched)
    return {
      code: 'ELEMENT_NOT_ACTIONABLE',
      details: { selector: playwright.selector, log: playwright.log?.slice(-6) },
    };
  if (failure.name === 'TimeoutError' && playwright?.selector)
    return {
      code: 'SELECTOR_NOT_FOUND',
      message: `Nothing on the page matched ${playwright.selector}${playwright.timeoutMs ? ` within ${playwright.timeoutMs} ms` : ''}.`,
      details: {
        selector: playwright.selector,
        waitedMs: playwright.timeoutMs,
        candidates: around.candidates ?? [],
      },
    };
  if (/failed to fetch|networkerror/i.test(failure.message) && around.corsLines.length > 0)
    return { code: 'FETCH_BLOCKED_BY_CORS', details: { reason: around.corsLines.at(-1) } };
  return { code: 'SCRIPT_FAILED' };
}

export function explainFailure(failure: Failure, around: Surroundings, timeoutMs: number): ScriptError {
  const { code, message, details } = verdictOn(failure, around, timeoutMs);
  const row: { category: Category; nextStep: NextStep } = errorTable[code];
  return {
    code,
    message: message ?? failure.message,
    details: Object.fromEntries(Object.entries(details ?? {}).filter(([, value]) => value !== undefined)),
    category: row.category,
    nextStep: row.nextStep,
    name: failure.name,
    stack: failure.stack,
  };
}
