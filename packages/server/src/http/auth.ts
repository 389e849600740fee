import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { ApiError } from '../errors.ts';
import type { Limit } from './rate-limit.ts';

/** The first hook of everything under /v1: who is it, not too often, and with the right role. */
export const createAuth =
  (access: Access, limit: Limit) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    try {
      request.principal = await access.authenticate(request.headers.authorization);
    } finally {
      // Counted either way: known callers by their key, guessers by their address.
      await limit(request, reply);
    }
    const { role } = request.routeOptions.config;
    if (role === 'admin' && request.principal.role !== 'admin')
      throw new ApiError('FORBIDDEN', 'This call needs a key with the role `admin`.');
  };
