/** The errors that callers may see. Their codes are the rows of errors/table.ts. */
import type { Category, ErrorRow, NextStep } from './errors/row.ts';
import { type ErrorCode, errorTable } from './errors/table.ts';

export { type Category, categories, type NextStep, nextSteps } from './errors/row.ts';
export { type ErrorCode, errorTable } from './errors/table.ts';

/** As it is told wherever it is not the answer itself. */
export const errorView = ({ code, message, details, category, nextStep }: ApiError) => ({
  code,
  message,
  details,
  category,
  nextStep,
});

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
