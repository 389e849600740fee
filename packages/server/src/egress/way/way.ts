/** Ways out: direct or through an upstream proxy, always to an address that the policy has checked. */
export {
  checkUnresolved,
  isStillAllowed,
  reach,
  reachUpstream,
  type Settings,
  upstreamFor,
} from './choose-way.ts';
export type { Network } from './dial.ts';
export {
  Failure,
  Gone,
  type Refusal,
  Refused,
  reasonOf,
  refusalOf,
  TryAgain,
  Unreachable,
  UpstreamFailed,
} from './failures.ts';
export { Gate } from './gate.ts';
export { authFailed } from './http-connect.ts';
export { Names, type NamesOptions, type Resolve } from './names.ts';
export { answerError, type NetError } from './net-error.ts';
export { openOutgoing } from './outgoing.ts';
export { openOwnServices } from './own-services.ts';

export { basicAuthorization, describeUpstream, parseUpstream, type Upstream } from './upstream.ts';
