/**
 * Before the body of a call about a browser is read: whether this node holds the browser, and if not, the call goes to the
 * node that does.
 *
 *   runs here ──> on          held by no node ──> on          another's ──> passed on ──421──> looked up again
 *                              └── about to be held by one: waited for, where the call needs its pages
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cluster, Whereabouts } from '../../cluster/cluster.ts';
import { ApiError } from '../../errors.ts';
import { meantFor } from '../wire/wire.ts';
import { CallerBody } from './caller-body.ts';
import { type Passing, passOn } from './pass-on.ts';

export interface HolderParts extends Passing {
  cluster: Cluster;
  /** Whether its Chromium is this node's. */
  runsHere(browserId: string): boolean;
  /** How long a call waits for a browser that changes its node, or whose node cannot be reached. */
  patienceMs: number;
}

const firstPauseMs = 50;
const longestPauseMs = 500;

/** Resolves with the body to read here; undefined: the call is answered. */
export async function toHolder(
  parts: HolderParts,
  browserId: string,
  call: { request: FastifyRequest; reply: FastifyReply; read?: Buffer },
): Promise<CallerBody | undefined> {
  const { cluster } = parts;
  const { request, reply } = call;
  const repeatable = isRepeatable(request);
  const body = new CallerBody(request, reply, { keep: repeatable, read: call.read });
  if (parts.runsHere(browserId) && cluster.lease.held()) return body;
  const until = performance.now() + parts.patienceMs;
  const isLate = (): boolean => performance.now() > until;
  let mayHaveBegun = false;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const where = await cluster.locate(browserId, request.principal?.projectId);
    if (where.at !== 'member') {
      if (!isOnItsWay(where) || !needsPages(request) || isLate()) return body;
    } else {
      const outcome = await passOn(parts, { request, reply, body }, where.member);
      if (outcome === 'answered') return undefined;
      mayHaveBegun ||= outcome === 'lost';
      const isOver = isLate() || !(await body.again()) || (mayHaveBegun && !repeatable);
      if (isOver) throw mayHaveBegun ? lost(browserId, repeatable) : unreachable(browserId);
    }
    // It is on its way to another node, or about to be taken from one that is lost.
    await sleep(pauseMs);
    if (reply.raw.destroyed) return hungUp(reply);
  }
}

/** Whether a call that another node passed on is not for this one, which answers it here or not at all. */
export async function isMisdirected(
  { cluster, runsHere, patienceMs }: Pick<HolderParts, 'cluster' | 'runsHere' | 'patienceMs'>,
  request: FastifyRequest,
  browserId?: string,
): Promise<boolean> {
  if (meantFor(request.raw) !== cluster.bootId || !cluster.lease.held()) return true;
  if (browserId === undefined || runsHere(browserId)) return false;
  const until = performance.now() + patienceMs;
  for (;;) {
    const where = await cluster.locate(browserId, request.principal?.projectId);
    if (where.at !== 'here') return true;
    if (!where.comesUp || !needsPages(request) || performance.now() > until) return false;
    await sleep(longestPauseMs / 2);
  }
}

const isRepeatable = ({ method, idempotencyKey }: FastifyRequest): boolean =>
  method === 'GET' || method === 'HEAD' || idempotencyKey !== undefined;

/** Calls about the record alone are answered whatever state it is in. */
const needsPages = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.answers !== 'holder, or any';

const isOnItsWay = (where: Whereabouts): boolean =>
  (where.at === 'nowhere' && where.waits) || (where.at === 'here' && where.comesUp);

export const lostWhileAnswering = (request: FastifyRequest, browserId: string): ApiError =>
  lost(browserId, isRepeatable(request));

function hungUp(reply: FastifyReply): undefined {
  reply.hijack();
  return undefined;
}

const lost = (browserId: string, repeatable: boolean): ApiError =>
  new ApiError(
    'NODE_LOST',
    `The machine that ran browser ${browserId} was lost while it answered this call. Whether the call took effect is not known${repeatable ? '; repeated, it has effect once' : ': look at the browser before you repeat it'}.`,
    { details: { browserId }, ...(repeatable && { nextStep: 'retry' as const }) },
  );

const unreachable = (browserId: string): ApiError =>
  new ApiError(
    'NODE_LOST',
    `The machine that runs browser ${browserId} cannot be reached from the one that was asked. The call was not begun: repeat it.`,
    { details: { browserId }, nextStep: 'retry', headers: { 'retry-after': '1' } },
  );
