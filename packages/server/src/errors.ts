/**
 * The error table: every code has exactly one HTTP status, category and default next step.
 * `docs/errors.md` is generated from it; nothing else in the service invents a code.
 */
export const categories = [
  'authentication',
  'permission',
  'validation',
  'not_found',
  'conflict',
  'limit',
  'policy',
  'timeout',
  'script',
  'selector',
  'navigation',
  'network',
  'cors',
  'captcha',
  'dialog',
  'browser',
  'internal',
] as const;
export const nextSteps = [
  'fix_request',
  'authenticate',
  'wait',
  'retry',
  'observe',
  'handle_dialog',
  'resolve_captcha',
  'resume_browser',
  'create_browser',
  'change_policy',
  'reduce_size',
  'ask_operator',
] as const;

export type Category = (typeof categories)[number];
export type NextStep = (typeof nextSteps)[number];

interface ErrorRow {
  status: number;
  category: Category;
  nextStep: NextStep;
  /** When the caller sees it, for the generated documentation. */
  meaning: string;
}

const row = (status: number, category: Category, nextStep: NextStep, meaning: string): ErrorRow => ({
  status,
  category,
  nextStep,
  meaning,
});

export const errorTable = {
  VALIDATION_FAILED: row(
    400,
    'validation',
    'fix_request',
    'A field of the request is wrong; `details.issues[]` names each with its path and the reason.',
  ),
  INVALID_JSON: row(400, 'validation', 'fix_request', 'The body is not valid JSON.'),
  INVALID_REQUEST: row(
    400,
    'validation',
    'fix_request',
    'The request could not be read as HTTP (broken escape, header or framing).',
  ),
  INVALID_CURSOR: row(
    400,
    'validation',
    'fix_request',
    'The `cursor` was not made by this list; start again without it.',
  ),
  IDEMPOTENCY_KEY_REQUIRED: row(
    400,
    'validation',
    'fix_request',
    'This call needs the header `Idempotency-Key`.',
  ),
  IDEMPOTENCY_KEY_REUSED: row(
    422,
    'conflict',
    'fix_request',
    'The same `Idempotency-Key` was used for another request; send a new one.',
  ),
  IDEMPOTENCY_KEY_IN_USE: row(
    409,
    'conflict',
    'wait',
    'The first request with this `Idempotency-Key` is still being answered on another node.',
  ),
  UNAUTHENTICATED: row(
    401,
    'authentication',
    'authenticate',
    'The key is missing, malformed, unknown, revoked or expired.',
  ),
  FORBIDDEN: row(403, 'permission', 'ask_operator', 'The key is valid, but its role may not do this.'),
  POLICY_BLOCKED: row(403, 'policy', 'change_policy', 'The address is refused by the policy of the browser.'),
  ROUTE_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No such path.'),
  BROWSER_NOT_FOUND: row(
    404,
    'not_found',
    'fix_request',
    'No browser with this id in the project of the key.',
  ),
  KEY_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No key with this id in the project of the key.'),
  METHOD_NOT_ALLOWED: row(
    405,
    'validation',
    'fix_request',
    'The path exists, but not with this method; the `Allow` header lists the ones it has.',
  ),
  BROWSER_NOT_READY: row(
    409,
    'conflict',
    'wait',
    'The browser is in another status than the call needs; `nextStep` says whether to wait, resume or create.',
  ),
  LAST_ADMIN_KEY: row(
    409,
    'conflict',
    'fix_request',
    'The last admin key of a project cannot be revoked; make another one first.',
  ),
  PAYLOAD_TOO_LARGE: row(413, 'limit', 'reduce_size', 'The body is larger than the limit.'),
  UNSUPPORTED_MEDIA_TYPE: row(415, 'validation', 'fix_request', 'The body is not `application/json`.'),
  HEADERS_TOO_LARGE: row(431, 'limit', 'reduce_size', 'The header fields are larger than the limit.'),
  RATE_LIMITED: row(
    429,
    'limit',
    'wait',
    'Too many requests with this key; `Retry-After` says when to go on.',
  ),
  CAPACITY_EXHAUSTED: row(
    429,
    'limit',
    'wait',
    'No room for another live browser; retry after `Retry-After`, or send `Prefer: wait=N` to queue.',
  ),
  FEATURE_UNAVAILABLE: row(
    501,
    'validation',
    'fix_request',
    'The field is part of the API but this version cannot honour it, so it is refused instead of ignored.',
  ),
  PROXY_UNREACHABLE: row(
    502,
    'network',
    'fix_request',
    'The upstream proxy of the browser did not answer; nothing was sent directly.',
  ),
  PROXY_AUTH_FAILED: row(
    502,
    'network',
    'fix_request',
    'The upstream proxy of the browser refused its user name or password.',
  ),
  NAVIGATION_FAILED: row(
    422,
    'navigation',
    'fix_request',
    'The page could not be reached; `details.reason` is the network error.',
  ),
  BROWSER_CRASHED: row(
    503,
    'browser',
    'retry',
    'Chromium ended while the call was running; the browser recovers under the same id.',
  ),
  BROWSER_START_FAILED: row(503, 'browser', 'ask_operator', 'Chromium could not be started.'),
  RUNNER_UNAVAILABLE: row(
    503,
    'browser',
    'retry',
    'No process could be started, or attached to the browser, to run the script.',
  ),
  ISOLATION_UNAVAILABLE: row(
    503,
    'browser',
    'ask_operator',
    'The machine cannot isolate browsers as this call requires.',
  ),
  STORE_UNAVAILABLE: row(
    503,
    'internal',
    'retry',
    'The database or the disk cannot take the change now; nothing was done.',
  ),
  SERVICE_SHUTTING_DOWN: row(503, 'internal', 'retry', 'The service is draining before it stops.'),
  REQUEST_TIMEOUT: row(408, 'timeout', 'retry', 'The request was not received completely in time.'),
  BROWSER_UNRESPONSIVE: row(504, 'timeout', 'retry', 'Chromium did not answer in time.'),
  INTERNAL: row(500, 'internal', 'retry', 'A fault of the service; the log has it under the request id.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** An error the caller may see. `nextStep` and `category` come from the table unless given. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly category: Category;
  readonly nextStep: NextStep;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: Record<string, unknown>;
      nextStep?: NextStep;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const known: ErrorRow = errorTable[code];
    this.name = 'ApiError';
    this.code = code;
    this.status = known.status;
    this.category = known.category;
    this.nextStep = options.nextStep ?? known.nextStep;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
  }
}
