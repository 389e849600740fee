/**
 * The first hook of everything under /v1: who is it, not too often, and with the right role. Where a signed token is
 * welcome and one came, it decides alone: the header may then be there for a proxy on the way.
 *
 * No look is taken at `Origin`: nothing here is opened by what a browser sends along by itself (a cookie, a password),
 * so a web page has no more than the token that somebody gave to it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access, Capabilities, Principal } from '../../access/access.ts';
import { ApiError } from '../../errors.ts';
import type { Limit } from './rate-limit.ts';

export function createAuth(access: Access, capabilities: Capabilities, limit: Limit) {
  const identify = async (request: FastifyRequest): Promise<Principal> => {
    const { capability } = request.routeOptions.config;
    const { token } = request.query as { token?: unknown };
    if (!capability || token === undefined) return access.authenticate(request.headers.authorization);
    const { id } = request.params as { id: string };
    request.grant = await capabilities.check(token, capability, id);
    return access.principalOf(request.grant.keyId);
  };
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.principal = await identify(request);
    } finally {
      // Counted either way: known callers by their key, guessers by their address.
      await limit(request, reply);
    }
    const { role } = request.routeOptions.config;
    if (role === 'admin' && request.principal.role !== 'admin')
      throw new ApiError('FORBIDDEN', 'This call needs a key with the role `admin`.');
  };
}
