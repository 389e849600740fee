/**
 * Closing a browser that another node holds, within a call about many. The other node is asked as the caller would ask it:
 * with the caller's key, and as often as it takes, since closing twice is closing once.
 */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { type Browsers, ElsewhereError } from '../../browsers/browsers.ts';
import type { ClosedBrowser } from '../../browsers/record/schema.ts';
import { hopHeader, hopTo, type Member } from '../../cluster/cluster.ts';
import { ApiError, type ErrorCode, type NextStep } from '../../errors.ts';
import type { HolderParts } from './holder.ts';

const pauseMs = 250;
/** A receipt is some hundred bytes, and so is an error. */
const longestAnswer = 64 * 1024;

type Close = Browsers['close'];

/** `close` for browsers of any node, in the name of this caller. */
export const closeAnywhere =
  (parts: HolderParts, request: FastifyRequest, here: Close): Close =>
  async (projectId, id) => {
    const until = performance.now() + parts.patienceMs;
    for (;;) {
      const where = parts.runsHere(id) ? undefined : await parts.cluster.locate(id, projectId);
      if (where?.at !== 'member') {
        const closed = await here(projectId, id).catch(orElsewhere);
        if (closed) return closed;
      } else {
        const answer = await askToClose(parts, request, id, where.member).catch(() => undefined);
        if (answer !== undefined && answer.status !== 421) return closedIn(answer);
      }
      if (performance.now() > until) throw notClosed(id);
      await sleep(pauseMs);
    }
  };

/** Undefined: another node was first, and is asked next. */
function orElsewhere(error: unknown): undefined {
  if (!(error instanceof ElsewhereError)) throw error;
}

interface Answer {
  status: number;
  text: string;
}

function askToClose(
  { hops }: HolderParts,
  request: FastifyRequest,
  id: string,
  member: Member,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked = hops.ask(member, {
    method: 'DELETE',
    path: `/v1/browsers/${id}`,
    headers: [
      ...['Host', request.headers.host ?? 'browserd', 'X-Request-Id', request.id],
      ...['Authorization', request.headers.authorization ?? '', hopHeader, hopTo(member.bootId)],
      ...['Idempotency-Key', keyFor(request, id), 'Content-Length', '0'],
    ],
  });
  const offWatch = hops.watch(member, asked);
  asked.once('close', offWatch).on('error', reject);
  asked.once('response', (answer) => {
    const status = answer.statusCode ?? 502;
    textOf(answer).then((text) => resolve({ status, text }), reject);
  });
  asked.end();
  return promise;
}

/** The caller's key is that of the whole call. */
const keyFor = ({ idempotencyKey = '' }: FastifyRequest, id: string): string =>
  createHash('sha256').update(`${idempotencyKey}\n${id}`).digest('base64url');

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    text += chunk;
    if (text.length > longestAnswer) throw new Error('The answer of the other node is too long.');
  }
  return text;
}

function closedIn({ status, text }: Answer): ClosedBrowser {
  const body = JSON.parse(text) as ClosedBrowser & { error?: Refusal };
  if (status < 300) return body;
  const { code, message, details, nextStep } = body.error as Refusal;
  throw new ApiError(code, message, { details, nextStep });
}

interface Refusal {
  code: ErrorCode;
  message: string;
  details: Record<string, unknown>;
  nextStep: NextStep;
}

const notClosed = (id: string): ApiError =>
  new ApiError(
    'NODE_LOST',
    `The machine that runs browser ${id} cannot be reached from the one that was asked. Close it again.`,
    { nextStep: 'retry' },
  );
