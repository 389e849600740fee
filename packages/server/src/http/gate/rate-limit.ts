/**
 * Counts requests in windows of a minute: by key, and by address for callers that have shown none. A signed address of content
 * has a count of its own: however many people it was passed on to, the key that made it can go on working.
 */
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { type App, meantFor } from '../wire/wire.ts';

export type Limit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const callerOf = (request: FastifyRequest): string => {
  const { grant } = request;
  if (grant?.kind === 'content') return `content ${grant.subjectId}`;
  return request.principal ? `key ${request.principal.keyId}` : `ip ${addressOf(request)}`;
};

/** One for all that a single customer of a provider may use. */
export const addressOf = ({ ip }: FastifyRequest): string => rateLimit.normalizeIP(ip);

/** `nodes`: how many share the limit, where there are several. Exactness over nodes would cost a write a request; each has its part instead. */
export async function createLimit(app: App, perMinute: number, nodes?: () => number): Promise<Limit> {
  await app.register(rateLimit, {
    global: false,
    max: nodes ? () => Math.ceil(perMinute / nodes()) : perMinute,
    timeWindow: 60_000,
    keyGenerator: callerOf,
  });
  const count = app.createRateLimit();
  return async (request, reply) => {
    // The node that it came from has counted it.
    if (meantFor(request.raw) !== undefined) return;
    const state = await count(request);
    if (state.isAllowed) return;
    reply.headers({
      'ratelimit-limit': state.max,
      'ratelimit-remaining': state.remaining,
      'ratelimit-reset': state.ttlInSeconds,
    });
    if (state.isExceeded)
      throw new ApiError(
        'RATE_LIMITED',
        `More than ${state.max} requests in a minute. Wait ${state.ttlInSeconds} s.`,
        {
          details: { limit: state.max, retryAfterSeconds: state.ttlInSeconds },
          headers: { 'retry-after': String(Math.max(1, state.ttlInSeconds)) },
        },
      );
  };
}
