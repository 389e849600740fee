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
  POLICY_BLOCKED: row(
    403,
    'policy',
    'change_policy',
    'The policy of the browser refuses the address, or the file.',
  ),
  ROUTE_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No such path.'),
  BROWSER_NOT_FOUND: row(
    404,
    'not_found',
    'fix_request',
    'No browser with this id in the project of the key.',
  ),
  FILE_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No file with this id in the browser.'),
  DOWNLOAD_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No download with this id in the browser.'),
  RECORDING_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No recording with this id in the browser.'),
  KEY_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No key with this id in the project of the key.'),
  WEBHOOK_NOT_FOUND: row(
    404,
    'not_found',
    'fix_request',
    'No webhook with this id in the project of the key.',
  ),
  DELIVERY_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No delivery with this id of the webhook.'),
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
  DOWNLOAD_NOT_FINISHED: row(
    409,
    'conflict',
    'wait',
    'The download is still running and has no content yet; `Retry-After` says when to ask again.',
  ),
  DOWNLOAD_FAILED: row(
    409,
    'conflict',
    'retry',
    'The download was cancelled or failed and has no content; `details.reason` says why.',
  ),
  RECORDING_NOT_FINISHED: row(
    409,
    'conflict',
    'wait',
    'The recording is still running, or its video is being made; `Retry-After` says when to ask again.',
  ),
  RECORDING_FAILED: row(
    409,
    'conflict',
    'observe',
    'The recording failed and has no video; `details.reason` says why.',
  ),
  LAST_ADMIN_KEY: row(
    409,
    'conflict',
    'fix_request',
    'The last admin key of a project cannot be revoked; make another one first.',
  ),
  TOO_MANY_WEBHOOKS: row(
    409,
    'limit',
    'fix_request',
    'The project has as many webhooks as it may; delete one that is no longer needed.',
  ),
  PAYLOAD_TOO_LARGE: row(413, 'limit', 'reduce_size', 'The body is larger than the limit.'),
  QUOTA_EXCEEDED: row(
    413,
    'limit',
    'reduce_size',
    'The project would hold more bytes of files than it may; delete some, or ask the operator for more.',
  ),
  UNSUPPORTED_MEDIA_TYPE: row(
    415,
    'validation',
    'fix_request',
    'The body is not of a type that this call takes: `application/json`, or for files any that is not compressed.',
  ),
  RANGE_NOT_SATISFIABLE: row(
    416,
    'validation',
    'fix_request',
    'The `Range` begins after the end of the content; `Content-Range` says how long it is.',
  ),
  HEADERS_TOO_LARGE: row(431, 'limit', 'reduce_size', 'The header fields are larger than the limit.'),
  UPGRADE_REQUIRED: row(
    426,
    'validation',
    'fix_request',
    'This address is a WebSocket; connect to it with a WebSocket client.',
  ),
  TOO_MANY_CLIENTS: row(
    429,
    'limit',
    'wait',
    'Too many CDP clients are connected to this browser; close one first.',
  ),
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
  TAB_NOT_FOUND: row(
    404,
    'not_found',
    'fix_request',
    'The browser has no tab with this id; `status` lists them.',
  ),
  SCRIPT_FAILED: row(422, 'script', 'observe', 'The code threw an error of its own; `stack` has its lines.'),
  SCRIPT_SYNTAX: row(
    422,
    'script',
    'fix_request',
    'The code cannot be parsed; `details` has line and column.',
  ),
  SCRIPT_TIMEOUT: row(504, 'timeout', 'retry', 'The code did not end in time and was ended; the page stays.'),
  SCRIPT_ABORTED: row(
    422,
    'script',
    'fix_request',
    'The process that ran the code ended: it used more memory, files or processes than it may.',
  ),
  SCRIPT_QUEUE_FULL: row(429, 'limit', 'wait', 'Too many calls wait for this browser.'),
  RESULT_NOT_SERIALIZABLE: row(
    422,
    'script',
    'fix_request',
    'What the code returned cannot be written as JSON (a cycle, a BigInt, a function).',
  ),
  RESULT_TOO_LARGE: row(422, 'limit', 'reduce_size', 'What the code returned is larger than 8 MiB.'),
  SELECTOR_NOT_FOUND: row(
    422,
    'selector',
    'observe',
    'Nothing on the page matched the selector in time; `details.candidates` are the nearest things there.',
  ),
  ELEMENT_NOT_ACTIONABLE: row(
    422,
    'selector',
    'observe',
    'The element is there, but could not be acted on in time: hidden, disabled, moving or covered; `details.log` says which.',
  ),
  CAPTURE_TOO_LARGE: row(
    422,
    'limit',
    'reduce_size',
    'The picture would be larger than Chromium draws; `details` has its size and the limit.',
  ),
  DIALOG_NOT_FOUND: row(404, 'not_found', 'fix_request', 'No dialog with this id in the browser.'),
  DIALOG_CLOSED: row(
    409,
    'dialog',
    'observe',
    'The dialog is closed: somebody else answered it first, it timed out, or its page has gone.',
  ),
  CAPTCHA_SOLVING: row(409, 'captcha', 'wait', 'The captchas of the tab are being solved for another call.'),
  DIALOG_OPEN: row(409, 'dialog', 'handle_dialog', 'A dialog of the page stands in the way.'),
  PAGE_CRASHED: row(503, 'browser', 'retry', 'The page crashed; navigate again.'),
  FETCH_BLOCKED_BY_CORS: row(
    422,
    'cors',
    'fix_request',
    'A fetch from within the page was stopped by CORS; use `context.request`, which is not.',
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
  STORAGE_FULL: row(
    507,
    'limit',
    'ask_operator',
    'The disk has no room for the bytes; nothing was kept, and everything else goes on.',
  ),
  SERVICE_SHUTTING_DOWN: row(503, 'internal', 'retry', 'The service is draining before it stops.'),
  REQUEST_TIMEOUT: row(408, 'timeout', 'retry', 'The request was not received completely in time.'),
  QUICK_ACTION_TIMEOUT: row(
    504,
    'timeout',
    'retry',
    'The page was not there, or not read, in time; raise `timeoutMs`, or ask for what there is with `partial`.',
  ),
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
