/** What a request must pass before its handler: limits, the key, the ids in its path, its Idempotency-Key. */
export { createAuth, type WhileAnswered } from './auth.ts';
export { createOnce, type Once, readIdempotencyKey } from './idempotent.ts';
export { requireIds } from './ids.ts';
export { checkOrigin } from './own-origin.ts';
export { createLimit, type Limit } from './rate-limit.ts';
export { faultIn } from './request-checks.ts';
export { Shares } from './shares.ts';
export { createStrangers, type Strangers } from './strangers.ts';
