/** A field is wrong in a way that its schema cannot find. */
import { ApiError } from '../../errors.ts';

export const invalid = (path: (string | number)[], reason: string): ApiError =>
  new ApiError('VALIDATION_FAILED', `\`${path.join('.')}\` ${reason}`, {
    details: { issues: [{ path: path.join('.'), reason }] },
  });
