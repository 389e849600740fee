import { ApiError } from '../errors.ts';

/** A field is wrong in a way that its schema cannot tell. */
export const invalid = (path: (string | number)[], reason: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `\`${path.join('.')}\` ${reason}`, {
    details: { issues: [{ path: path.join('.'), reason }] },
  });
