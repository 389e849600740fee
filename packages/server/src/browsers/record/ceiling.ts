/** A policy that asks for more than the operator lets any policy open is refused before anything is started. */
import { type Ceiling, entryAbove } from '../../egress/egress.ts';
import { ApiError } from '../../errors.ts';
import type { Policy } from './policy-schema.ts';

export async function refuseAboveCeiling(policy: Policy | undefined, ceiling: Ceiling): Promise<void> {
  if (!policy?.privateAccess) return;
  await ceiling.look();
  const path = entryAbove(ceiling.reach, policy.privateAccess);
  if (!path) return;
  const field = ['policy', 'privateAccess', ...path].join('.');
  throw new ApiError(
    'POLICY_NOT_ALLOWED',
    `\`${field}\` opens more than the operator of this service allows (${ceiling.words}). Leave it out, or ask the operator to set BROWSERD_PRIVATE_ACCESS.`,
    { details: { field, allowed: ceiling.words } },
  );
}
