/** How quick actions can fail: every one visits a page, and most of them capture it. */
import type { ErrorCode } from '../../errors.ts';
import { bodyCodes } from '../contract/contract.ts';

export const visitFailures: ErrorCode[] = [
  ...bodyCodes,
  'POLICY_BLOCKED',
  'POLICY_NOT_ALLOWED',
  'PROFILE_NOT_FOUND',
  'PROFILE_VERSION_NOT_FOUND',
  'NAVIGATION_FAILED',
  'SELECTOR_NOT_FOUND',
  'PROXY_UNREACHABLE',
  'PROXY_AUTH_FAILED',
  'CAPACITY_EXHAUSTED',
  'PAGE_CRASHED',
  'BROWSER_CRASHED',
  'BROWSER_START_FAILED',
  'BROWSER_UNRESPONSIVE',
  'QUICK_ACTION_TIMEOUT',
  'FILE_NOT_FOUND',
  'QUOTA_EXCEEDED',
  'STORAGE_FULL',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'SERVICE_SHUTTING_DOWN',
];

export const captureFailures: ErrorCode[] = [
  ...visitFailures,
  'ELEMENT_NOT_ACTIONABLE',
  'PAGE_NOT_WANTED',
  'SCRIPT_FAILED',
  'CAPTURE_TOO_LARGE',
];
