/**
 * Calls that any node may answer and that need room: creates and quick actions. They stay on the node that was asked while it
 * has room and is about as full as the roomier of two others, taken at random; otherwise they go there, as they came. So a node
 * that joined just now gets its share though no caller knows of it: measured by what is usual among the others, it would not
 * where most are as full as this one. Where none has room they come back, to be put in line or refused here.
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

/** By which share of its room a node may be fuller than another before it passes calls on: a hop is dearer than a little order. */
const mostAbove = 0.1;
const mostAsked = 3;

/** Resolves with the body to read here; undefined: the call is answered. */
export async function toRoomier(
  parts: RoomParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallerBody | undefined> {
  const body = new CallerBody(request, reply, { keep: true });
  const asked = new Set<string>();
  while (asked.size < mostAsked) {
    const member = parts.cluster.roomiest().find(({ bootId }) => !asked.has(bootId));
    if (!member || staysHere(parts, member)) return body;
    asked.add(member.bootId);
    if (leavesBrowser(request)) parts.cluster.noteSent(member.bootId);
    const outcome = await passOn(parts, { request, reply, body, byAny: true }, member);
    if (outcome === 'answered') return undefined;
    if (outcome === 'lost' && request.idempotencyKey === undefined) throw lost(request);
    if (!(await body.again())) throw lost(request);
  }
  return body;
}

/** Of a create that another node passed on: this one is full too. */
export const isFull = ({ used, max }: { used: number; max: number }): boolean => used >= max;

function staysHere({ cluster, room }: RoomParts, roomier: Member): boolean {
  const { used, max } = room();
  const own = cluster.members().find(({ bootId }) => bootId === cluster.bootId);
  if (used >= max || own?.state === 'draining') return false;
  return used / max <= fullness(roomier) + mostAbove;
}

const fullness = ({ used, capacity }: Member): number => (capacity === 0 ? 1 : used / capacity);

/** A quick action has given its room back when it is answered. */
const leavesBrowser = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.idempotency === 'required';

const lost = (request: FastifyRequest): ApiError =>
  leavesBrowser(request)
    ? new ApiError(
        'NODE_LOST',
        'The machine that began this call was lost. Repeat it with the same `Idempotency-Key`: it has effect once.',
        { nextStep: 'retry', headers: { 'retry-after': '1' } },
      )
    : new ApiError(
        'BROWSER_CRASHED',
        'The machine that worked on the page was lost. Send the request again.',
      );
