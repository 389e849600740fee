/** A package that is not taken, and why. */
import { ApiError } from '../errors.ts';

export const unusable = (reason: string, details: Record<string, unknown> = {}): ApiError =>
  new ApiError('EXTENSION_INVALID', reason, { details });
