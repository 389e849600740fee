/** A policy that asks for more than the operator lets its project open is refused before anything is started. */
import { type Ceiling, entryAbove } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { Policy } from './policy-schema.ts';

export async function refuseAboveCeiling(
  policy: Policy | undefined,
  ceiling: Ceiling,
  projectId: string,
): Promise<void> {
  if (!policy?.privateAccess) return;
  const { reach, words } = await ceiling.look(projectId);
  const path = entryAbove(reach, policy.privateAccess);
  if (!path) return;
  const field = ['policy', 'privateAccess', ...path].join('.');
  throw new ApiError(
    'POLICY_NOT_ALLOWED',
    `\`${field}\` opens more than the operator of this service allows (${words}). Leave it out, or ask the operator to set BROWSERD_PRIVATE_ACCESS.`,
    { details: { field, allowed: words } },
  );
}
