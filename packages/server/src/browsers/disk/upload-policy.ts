/** Which files may be given to the pages of a browser, by what their bytes say they are. Undefined: this one may. */
import { ApiError } from '../../errors.ts';
import type { Policy } from '../record/policy-schema.ts';

export function uploadRefusal(policy: Policy, file: { mimeType?: string }): ApiError | undefined {
  const { mode, allowedMimeTypes } = policy.uploads ?? {};
  const { mimeType } = file;
  const remedy = 'Change it with PATCH, or use another browser.';
  if (mode === 'deny')
    return new ApiError('POLICY_BLOCKED', `The policy of this browser lets no files into pages. ${remedy}`, {
      details: { rule: 'uploads.mode' },
    });
  if (!allowedMimeTypes || mimeType === undefined) return undefined;
  if (allowedMimeTypes.some((pattern) => covers(pattern.trim().toLowerCase(), mimeType))) return undefined;
  return new ApiError(
    'POLICY_BLOCKED',
    `The policy of this browser lets no files of the type ${mimeType} into pages. ${remedy}`,
    { details: { rule: 'uploads.allowedMimeTypes', mimeType } },
  );
}

/** `image/png`, all of `image/*`, or all of `*∕*`; parameters such as a charset do not matter. */
function covers(pattern: string, mimeType: string): boolean {
  const [essence = ''] = mimeType.toLowerCase().split(';', 1);
  if (pattern === '*/*') return true;
  return pattern.endsWith('/*') ? essence.startsWith(pattern.slice(0, -1)) : essence.trim() === pattern;
}
