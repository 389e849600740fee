/** A request has one id, in its log lines, its answer and its errors; the caller may choose it. */
import type { IncomingMessage } from 'node:http';
import { newId } from '../../kit/id.ts';

const sane = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id where it is harmless, so that the logs of both sides can be matched. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : newId('req');
}
