/**
 * One attempt to have a call answered by another node. Its answer, whatever it is, goes to the caller as it comes: JSON, bytes,
 * a stream of events, a socket. What never becomes an answer is told apart by whether the call can have taken effect:
 *
 *   headers ──> that node identifies the caller, and looks whether it holds the browser ──421──> `elsewhere`
 *                     └── 100 Continue ──> body ──> its handler ──> answer
 *   lost up to here: `unsent`               lost from here on: `lost`
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Member } from '../../cluster/cluster.ts';
import { takeSocket, wantsUpgrade } from '../sockets/sockets.ts';
import { codeHeader, isWaiting, limitReadingOf } from '../wire/wire.ts';
import type { CallerBody } from './caller-body.ts';
import { headersBack, headersOnward } from './hop-headers.ts';
import type { Hops } from './hops.ts';
import type { Splices } from './splices.ts';

/** `answered`: or the caller has gone. `elsewhere`, `full`, `unsent`: the call has not begun. */
export type Outcome = 'answered' | 'elsewhere' | 'full' | 'unsent' | 'lost';

export interface Passing {
  hops: Hops;
  splices: Splices;
  requestTimeout: number;
}

export interface PassedCall {
  request: FastifyRequest;
  reply: FastifyReply;
  body: CallerBody;
  /** Any node with room may answer it: the refusal of one that is full does not reach the caller. */
  byAny?: boolean;
}

/** Longer than a handshake takes on a busy machine; the holder of a browser is looked up again afterwards. */
const connectMs = 2000;

export function passOn(parts: Passing, call: PassedCall, member: Member): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const { request, reply, body } = call;
  const { raw } = request;
  const out = reply.raw;
  const isSocket = wantsUpgrade(raw);
  const onward = { bootId: member.bootId, requestId: request.id, isSocket };
  const length = body.exists ? (body.readBytes ?? 'stream') : undefined;
  const asked = parts.hops.ask(member, {
    method: raw.method ?? 'GET',
    path: raw.url ?? '/',
    headers: headersOnward(raw, { ...onward, body: length }),
  });
  let begun = false;
  const offWatch = parts.hops.watch(member, asked);
  const hungUp = (): void => {
    asked.destroy();
    settle('answered');
  };
  const settle = (outcome: Outcome): void => {
    out.off('close', hungUp);
    if (outcome !== 'answered') {
      offWatch();
      asked.destroy();
    }
    resolve(outcome);
  };
  out.once('close', hungUp);
  asked.once('close', offWatch);
  // After the answer has begun, its own stream says that it broke.
  asked.on('error', () => settle(begun ? 'lost' : 'unsent'));
  asked.once('socket', (socket) => {
    const connected = (): void => {
      // Without a body the whole call is on its way from here on.
      if (!body.exists) begun = true;
    };
    if (asked.reusedSocket) connected();
    else waitForConnection(socket, connected, () => asked.destroy(new Error('No connection in time.')));
  });
  asked.once('continue', () => {
    begun = true;
    body.sendTo(asked);
  });
  asked.once('response', (answer) => {
    const refusal = refusalIn(answer, call.byAny);
    if (refusal && body.isThere) {
      settle(refusal);
      return;
    }
    settle('answered');
    // What was not asked for, or is still coming, is not waited for.
    giveBack(parts, call, answer, () => asked.writableFinished || asked.destroy());
  });
  asked.once('upgrade', (answer, socket, head) => {
    settle('answered');
    socket.once('close', parts.hops.watch(member, socket));
    join(parts.splices, call, answer, { socket, head });
  });
  if (body.exists) asked.flushHeaders();
  else asked.end();
  if (out.destroyed) hungUp();
  return promise;
}

function waitForConnection(socket: Socket, connected: () => void, tooLate: () => void): void {
  const late = setTimeout(tooLate, connectMs);
  socket.once('close', () => clearTimeout(late));
  socket.once('secureConnect', () => {
    clearTimeout(late);
    connected();
  });
}

/** Answers that are for this node, not for the caller: the call has not begun there. */
function refusalIn(
  { statusCode, headers }: IncomingMessage,
  byAny = false,
): 'elsewhere' | 'full' | undefined {
  if (statusCode === 421) return 'elsewhere';
  const code = headers[codeHeader];
  if (code === 'SERVICE_SHUTTING_DOWN') return 'elsewhere';
  return byAny && code === 'CAPACITY_EXHAUSTED' ? 'full' : undefined;
}

function giveBack(
  parts: Passing,
  { request, reply }: PassedCall,
  answer: IncomingMessage,
  done: () => void,
): void {
  const out = reply.raw;
  reply.hijack();
  const headers = headersBack(answer);
  // What this node itself has to say: the caller's rate, and whether the connection ends.
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (answer.headers[name] === undefined) headers.push(name, String(value));
  // The caller was never asked for its body.
  if (isWaiting(request) && !reply.hasHeader('connection')) headers.push('connection', 'close');
  out.writeHead(answer.statusCode ?? 502, headers);
  if (answer.headers['content-length'] === undefined) out.flushHeaders();
  else limitReadingOf(request.raw.socket, parts.requestTimeout);
  // Broken off in the middle it must not look complete: then the connection ends.
  pipeline(answer, out, done);
}

function join(
  splices: Splices,
  { request, reply }: PassedCall,
  answer: IncomingMessage,
  far: { socket: Duplex; head: Buffer },
): void {
  const near = takeSocket(request.raw);
  reply.hijack();
  if (near) splices.join(near, far, answer, headersBack(answer));
  else far.socket.destroy();
}
