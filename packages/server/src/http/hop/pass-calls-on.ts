/**
 * The hooks by which any node answers for any browser. They run after the key, the rate limit and the ids, and before the body
 * is read; a node that works alone has none of them.
 */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { ElsewhereError } from '../../browsers/browsers.ts';
import { isId } from '../../kit/id.ts';
import { type App, hasBody, meantFor } from '../wire/wire.ts';
import type { CallerBody } from './caller-body.ts';
import { whileHeld } from './held-answers.ts';
import { type HolderParts, isMisdirected, lostWhileAnswering, toHolder } from './holder.ts';
import { isFull, type RoomParts, toRoomier } from './roomier.ts';

export type PassingOnParts = HolderParts & RoomParts;

/** What a route answers for unless it says otherwise. */
const aboutBrowser = /\/browsers\/:id(?:\/|$)/;
/** How often a call is taken up here whose browser goes to another node each time. */
const mostTries = 3;

export function passCallsOn(app: App, parts: PassingOnParts): void {
  followToHolder(app, parts);
  const bodies = new WeakMap<FastifyRequest, CallerBody>();
  app.addHook('onRequest', async (request, reply) => {
    const answers = answeredBy(request.routeOptions);
    if (answers === 'anywhere') return;
    const { id } = request.params as { id?: string };
    if (meantFor(request.raw) !== undefined) {
      const isWrong = await isMisdirected(parts, request, id);
      if (isWrong || (answers === 'room' && isFull(parts.room()))) return misdirected(reply);
      return;
    }
    const body =
      answers === 'room' || id === undefined
        ? await toRoomier(parts, request, reply)
        : await toHolder(parts, id, { request, reply });
    if (body) bodies.set(request, body);
  });
  // A body that was on its way to a node that is lost is read here in its place.
  app.addHook('preParsing', async (request, _reply, payload) => bodies.get(request)?.here() ?? payload);
  app.addHook('preValidation', async (request, reply) => {
    const { holderIn } = request.routeOptions.config;
    if (holderIn === undefined) return;
    const id = (request.body as Record<string, unknown> | undefined)?.[holderIn];
    if (typeof id !== 'string' || !isId('browser', id)) return;
    if (meantFor(request.raw) !== undefined) {
      if (await isMisdirected(parts, request, id)) misdirected(reply);
      return;
    }
    await toHolder(parts, id, { request, reply, read: bodyOf(request) });
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode >= 300 || answeredBy(request.routeOptions) !== 'holder') return payload;
    const { id = '' } = request.params as { id?: string };
    await whileHeld(parts, { reply, payload }, () => lostWhileAnswering(request, id));
    return payload;
  });
}

/**
 * A browser that no node held when a call came may be another node's by the time that its handler takes it, such as when two are
 * asked to resume it at once. The handler has done nothing then, and the call goes to the node that was first.
 */
function followToHolder(app: App, parts: PassingOnParts): void {
  app.addHook('onRoute', (route) => {
    if (answeredBy(route) !== 'holder, or any') return;
    const { handler } = route;
    route.handler = async function (request, reply) {
      for (let tries = 1; ; tries++) {
        try {
          return await handler.call(this, request, reply);
        } catch (error) {
          if (!(error instanceof ElsewhereError) || tries === mostTries) throw error;
          const isPassedOn = meantFor(request.raw) !== undefined;
          // The node that passed it on has no more of a body that it has sent.
          if (isPassedOn && hasBody(request.raw)) throw error;
          if (isPassedOn) return reply.code(421).send();
        }
        const { id } = request.params as { id: string };
        if (!(await toHolder(parts, id, { request, reply, read: bodyOf(request) }))) return reply;
      }
    };
  });
}

/** As it was read here. */
const bodyOf = ({ raw, body }: FastifyRequest): Buffer | undefined =>
  hasBody(raw) ? Buffer.from(body === undefined ? '' : JSON.stringify(body)) : undefined;

/** Which node answers for a route. */
const answeredBy = ({ config, url = '' }: { config?: FastifyContextConfig; url?: string }) =>
  config?.answers ?? (aboutBrowser.test(url) ? 'holder' : 'anywhere');

/** Whether another node may answer for a route, at least for some of its calls. */
export const mayBeElsewhere = (route: { config?: FastifyContextConfig; url?: string }): boolean =>
  answeredBy(route) !== 'anywhere' || route.config?.holderIn !== undefined;

/** For the other node alone, which looks again. */
const misdirected = (reply: FastifyReply): void => void reply.code(421).send();
