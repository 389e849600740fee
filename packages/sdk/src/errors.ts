/** Every error that the SDK throws, and how an answer becomes one: a caller needs to know one class. */
import type { Error as ApiError, ErrorCode, ScriptExecution } from './generated/schemas.ts';

type Facts = ApiError['error'];

/** Codes of the client itself, where there is no answer of the service or it cannot be read. */
export type ClientErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'UNEXPECTED_ANSWER'
  | 'INVALID_ARGUMENT'
  | 'CONFIRMATION_REQUIRED'
  | 'HANDOFF_LOST'
  | 'JOB_CANCELLED'
  | 'JOB_FAILED'
  | 'WEBHOOK_REFUSED';

export interface ErrorFacts {
  code: string;
  message: string;
  category: string;
  nextStep: string;
  details?: Record<string, unknown>;
}

/** A refusal of the service: `code` for programs, `message` for people, `nextStep` for agents. */
export class BrowserdError extends Error {
  override readonly name: string = 'BrowserdError';
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  readonly category: Facts['category'] | (string & {});
  readonly nextStep: Facts['nextStep'] | (string & {});
  readonly details: Record<string, unknown>;

  constructor(facts: ErrorFacts, status: number, cause?: unknown) {
    super(facts.message, cause === undefined ? undefined : { cause });
    this.code = facts.code;
    this.status = status;
    this.category = facts.category;
    this.nextStep = facts.nextStep;
    this.details = facts.details ?? {};
  }

  /** Finds the call in the log of the service. */
  get requestId(): string | undefined {
    const { requestId } = this.details;
    return typeof requestId === 'string' ? requestId : undefined;
  }
}

/** The service could not be reached, or did not answer in time. */
export class ConnectionError extends BrowserdError {
  override readonly name = 'ConnectionError';

  constructor(code: 'CONNECTION_FAILED' | 'TIMED_OUT', message: string, cause?: unknown) {
    super(
      { code, message, category: code === 'TIMED_OUT' ? 'timeout' : 'network', nextStep: 'retry' },
      0,
      cause,
    );
  }
}

/** Browser code that threw; the logs and the page it left are in `execution`. */
export class ScriptError extends BrowserdError {
  override readonly name = 'ScriptError';
  readonly execution: ScriptExecution;
  /** The name of the error inside: `TimeoutError`, `TypeError`, … */
  readonly thrown: string;
  /** Where in the code, by the line numbers of the caller's own code. */
  readonly scriptStack: string;

  constructor(execution: ScriptExecution) {
    const { error } = execution;
    const unknown = {
      code: 'SCRIPT_ERROR',
      message: 'The code failed.',
      category: 'script',
      nextStep: 'observe',
    };
    super(error ?? unknown, 200);
    this.execution = execution;
    this.thrown = error?.name ?? 'Error';
    this.scriptStack = error?.stack ?? '';
  }
}

export const invalidArgument = (message: string, cause?: unknown): BrowserdError =>
  new BrowserdError(
    { code: 'INVALID_ARGUMENT', message, category: 'validation', nextStep: 'fix_request' },
    0,
    cause,
  );

/** Reads the error out of an answer; an answer of something else, such as a proxy, is quoted. */
export async function errorFrom(response: Response, hadKey: boolean): Promise<BrowserdError> {
  const text = await response.text();
  const facts = factsIn(text);
  if (!facts) return unexpectedAnswer(response, text);
  if (facts.code === 'UNAUTHENTICATED' && !hadKey)
    facts.message += ' This client has no key: give it as apiKey, or set BROWSERD_API_KEY.';
  return new BrowserdError(facts, response.status);
}

function factsIn(text: string): Facts | undefined {
  try {
    const { error } = JSON.parse(text) as ApiError;
    return typeof error.code === 'string' && typeof error.message === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Not an answer of browserd: a proxy, or another server at that address. */
export function unexpectedAnswer(response: Response, text: string): BrowserdError {
  const location = response.headers.get('location');
  const redirected = response.type === 'opaqueredirect' || location !== null;
  const what = redirected
    ? `it leads on to ${location ?? 'another address'}, where the key is not sent`
    : text.slice(0, 200) || 'it is empty';
  const message =
    `The answer (HTTP ${response.status}) is not from browserd: ${what}. ` +
    'Check the base URL, and what stands between here and the service.';
  const facts = { code: 'UNEXPECTED_ANSWER', message, category: 'network', nextStep: 'ask_operator' };
  return new BrowserdError(facts, response.status);
}
