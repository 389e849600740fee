/** The HTTP side of idempotency: the header, and the mark on an answer that was given before. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, type Idempotency, isKept, type Work } from '../../access/access.ts';
import { ElsewhereError } from '../../browsers/browsers.ts';
import { ApiError } from '../../errors.ts';
import { validationFailed } from '../in/in.ts';
import { errorBody } from '../wire/wire.ts';

const printable = /^[\x20-\x7e]{1,255}$/;

/** A hook: runs before the body is read, so a missing key is reported first. */
export async function readIdempotencyKey(request: FastifyRequest): Promise<void> {
  const { idempotency } = request.routeOptions.config;
  if (idempotency === undefined) return;
  const key = request.headers['idempotency-key'];
  if (key === undefined) {
    if (idempotency === 'optional') return;
    throw new ApiError(
      'IDEMPOTENCY_KEY_REQUIRED',
      'This call needs the header `Idempotency-Key`: a new random value for each new request, the same one for its retries.',
    );
  }
  if (typeof key !== 'string' || !printable.test(key))
    throw validationFailed('header', [
      { path: 'Idempotency-Key', reason: 'expected 1 to 255 printable ASCII characters' },
    ]);
  request.idempotencyKey = key;
}

export type Once = (request: FastifyRequest, reply: FastifyReply, work: Work) => Promise<unknown>;

/** Runs the work once per key and sets status and headers of the answer; the body is returned for sending. */
export const createOnce =
  (idempotency: Idempotency): Once =>
  async (request, reply, work) => {
    const { method, url, body, principal, idempotencyKey } = request;
    if (idempotencyKey === undefined) return send(reply, await work());
    const path = url.split('?', 1)[0] ?? url;
    const answer = await idempotency.once(
      principal.projectId,
      idempotencyKey,
      { method, path, body },
      keepingRefusals(work, request.id),
    );
    if (answer.replayed) reply.header('idempotent-replayed', 'true');
    return send(reply, answer);
  };

const send = (reply: FastifyReply, answer: Answer): unknown => {
  reply.code(answer.statusCode);
  return answer.body;
};

/** A final refusal is an answer like any other, kept with the request id of the first time it was sent. */
const keepingRefusals =
  (work: Work, requestId: string): Work =>
  async (madeBefore) => {
    try {
      return await work(madeBefore);
    } catch (error) {
      // Another node answers in its place, under the same key.
      if (error instanceof ElsewhereError) throw error;
      if (!(error instanceof ApiError) || !isKept(error.status)) throw error;
      return { statusCode: error.status, body: errorBody(error, requestId) };
    }
  };
