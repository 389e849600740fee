/** Why a download ended without its bytes: the word for programs, the state it leads to, the sentence for people. */
import { ApiError, type ErrorCode } from '../../errors.ts';
import type { Leaving } from '../live/live.ts';

interface Reason {
  state: 'cancelled' | 'failed';
  message: string;
}

const cancelled = (message: string): Reason => ({ state: 'cancelled', message });
const failed = (message: string): Reason => ({ state: 'failed', message });

export const reasons = {
  policy: cancelled('The policy of the browser denies downloads; change it with PATCH.'),
  too_large: cancelled('It is larger than `policy.downloads.maxBytes`, or than the service lets one be.'),
  quota: cancelled('The project would hold more bytes than it may; delete some, also of closed browsers.'),
  storage_full: cancelled('The disk of the service has no room for it.'),
  too_many: cancelled('The browser has too many downloads; wait for some to end.'),
  client: cancelled('A client of the browser cancelled it.'),
  deleted: cancelled('It was deleted while it ran.'),
  browser_stopped: cancelled('The browser was stopped while it ran; start it again once it is resumed.'),
  browser_closed: cancelled('The browser was closed while it ran.'),
  interrupted: failed(
    'The transfer broke off: the server refused it, sent less than it promised, or hung up.',
  ),
  browser_crashed: failed('Chromium ended while it ran; start it again.'),
  service_restarted: failed('The service was restarted while it ran; start it again.'),
  machine_lost: failed('The machine of the browser was lost while it ran; start it again.'),
  internal: failed('The service could not keep its bytes; the log has the cause.'),
} satisfies Record<string, Reason>;

export type ReasonWord = keyof typeof reasons;

export const reasonOfLeaving: Record<Leaving, ReasonWord> = {
  stopped: 'browser_stopped',
  closed: 'browser_closed',
  crashed: 'browser_crashed',
};

const reasonOfCode: Partial<Record<ErrorCode, ReasonWord>> = {
  PAYLOAD_TOO_LARGE: 'too_large',
  QUOTA_EXCEEDED: 'quota',
  STORAGE_FULL: 'storage_full',
};

export const reasonOfError = (error: unknown): ReasonWord =>
  (error instanceof ApiError && reasonOfCode[error.code]) || 'internal';
