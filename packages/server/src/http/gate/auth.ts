/**
 * The first hook of everything under /v1: it identifies the caller, applies its limits and checks the role. Where a
 * signed token is accepted and one was sent, only the token counts: the header may then be there for a proxy in front
 * of the service.
 *
 * `Origin` is not checked: no route accepts credentials that a browser sends by itself (a cookie, a password), so a web
 * page can do no more than the token it was given allows.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Capabilities, Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import { goBeforeLines, shareOf } from '../../kit/loop-share.ts';
import { requestCostMs, strangers } from '../wire/wire.ts';
import type { Limit } from './rate-limit.ts';
import type { Shares } from './shares.ts';

/** Called for each call as it begins; what it returns is disposed of when the call is answered. */
export type WhileAnswered = (projectId: string) => Disposable;

export function createAuth(
  parts: { access: Access; capabilities: Capabilities; whileAnswered?: WhileAnswered },
  limit: Limit,
  shares: Shares,
) {
  const { access, capabilities, whileAnswered } = parts;
  const identify = async (request: FastifyRequest): Promise<Principal> => {
    const { capability, capabilityOf = 'id' } = request.routeOptions.config;
    const { token } = request.query as { token?: unknown };
    if (!capability || token === undefined) return access.authenticate(request.headers.authorization);
    const { [capabilityOf]: subjectId = '' } = request.params as Record<string, string>;
    request.grant = await capabilities.check(token, capability, subjectId);
    return access.principalOf(request.grant.keyId);
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.principal = await identify(request);
    } finally {
      const share = request.principal ? shareOf(request.principal.projectId) : strangers;
      await share.turn(requestCostMs);
      // Counted either way: callers with a valid key by that key, all others by their address.
      await limit(request, reply);
    }
    shares.enter(request, reply);
    const answering = new DisposableStack();
    answering.use(goBeforeLines(request.principal.projectId));
    answering.use(whileAnswered?.(request.principal.projectId));
    reply.raw.once('close', () => answering.dispose());
    const { role } = request.routeOptions.config;
    if (role === 'admin' && request.principal.role !== 'admin')
      throw new ApiError('FORBIDDEN', 'This call needs a key with the role `admin`.');
  };
}
