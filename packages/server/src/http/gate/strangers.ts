/**
 * What is answered without a key: unknown paths, pages, health. Callers of these wait for the time of strangers and are counted by
 * address. Health is asked by machines that take the service away when it is late, so a few of their requests in each second
 * pass at once, of each address and path: a crowd elsewhere, or at the other path, keeps none of them waiting.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestCostMs, strangers } from '../wire/wire.ts';
import { addressOf, type Limit } from './rate-limit.ts';

/** Far more than any orchestrator asks in a second. */
const atOnce = 50;
/** Addresses that are told apart in one second. */
const mostAddresses = 10_000;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Strangers {
  enter: Hook;
  /** For health. */
  enterAtOnce: Hook;
}

export function createStrangers(limit: Limit, now = () => performance.now()): Strangers {
  let second = 0;
  const asked = new Map<string, number>();
  const isOften = (request: FastifyRequest): boolean => {
    const current = Math.floor(now() / 1000);
    if (current !== second) asked.clear();
    second = current;
    const who = `${request.routeOptions.url} ${addressOf(request)}`;
    const times = asked.get(who) ?? 0;
    if (times === 0 && asked.size >= mostAddresses) return true;
    asked.set(who, times + 1);
    return times >= atOnce;
  };
  const enter: Hook = async (request, reply) => {
    await strangers.turn(requestCostMs);
    await limit(request, reply);
  };
  return {
    enter,
    enterAtOnce: async (request, reply) => {
      if (isOften(request)) return enter(request, reply);
      strangers.estimate(requestCostMs);
    },
  };
}
