/**
 * Calls that any node may answer and that need room: creates and quick actions. They stay on the node that was asked while it
 * has room and is about as full as the others; otherwise they go to a node with more, as they came. Where none has room they
 * come back, to be put in line or refused here.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cluster, Member } from '../../cluster/cluster.ts';
import { ApiError } from '../../errors.ts';
import { CallerBody } from './caller-body.ts';
import { type Passing, passOn } from './pass-on.ts';

export interface RoomParts extends Passing {
  cluster: Cluster;
  room(): { used: number; max: number };
}

/** Shares of a node's room by which it may be fuller than the others before it passes creates on. */
const mostAbove = 0.1;
const mostAsked = 3;

/** Resolves with the body to read here; undefined: the call is answered. */
export async function toRoomier(
  parts: RoomParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallerBody | undefined> {
  const body = new CallerBody(request, reply, { keep: true });
  if (staysHere(parts)) return body;
  const asked = new Set<string>();
  while (asked.size < mostAsked) {
    const member = parts.cluster.roomiest().find(({ bootId }) => !asked.has(bootId));
    if (!member) return body;
    asked.add(member.bootId);
    const outcome = await passOn(parts, { request, reply, body, byAny: true }, member);
    if (outcome === 'answered') return undefined;
    if (outcome === 'lost' && request.idempotencyKey === undefined) throw lost(request);
    if (!(await body.again())) throw lost(request);
  }
  return body;
}

/** Of a create that another node passed on: this one is full too. */
export const isFull = ({ used, max }: { used: number; max: number }): boolean => used >= max;

function staysHere({ cluster, room }: RoomParts): boolean {
  const { used, max } = room();
  const members = cluster.members();
  const isOwn = ({ bootId }: Member): boolean => bootId === cluster.bootId;
  if (used >= max || members.some((member) => isOwn(member) && member.state === 'draining')) return false;
  const others = members.filter((member) => member.state === 'up' && !isOwn(member));
  return used / max <= median([...others.map(fullness), used / max]) + mostAbove;
}

const fullness = ({ used, capacity }: Member): number => (capacity === 0 ? 1 : used / capacity);

function median(numbers: number[]): number {
  const sorted = numbers.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const lost = ({ routeOptions }: FastifyRequest): ApiError =>
  routeOptions.config.idempotency === 'required'
    ? new ApiError(
        'NODE_LOST',
        'The machine that began this call was lost. Repeat it with the same `Idempotency-Key`: it has effect once.',
        { nextStep: 'retry', headers: { 'retry-after': '1' } },
      )
    : new ApiError(
        'BROWSER_CRASHED',
        'The machine that worked on the page was lost. Send the request again.',
      );
