/** Checks the raw request before any other hook relies on what it says. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';

const longestUrl = 8192;

const invalid = (message: string): ApiError => new ApiError('INVALID_REQUEST', message);

const decodes = (text: string): boolean => {
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
};

export function faultIn(request: FastifyRequest): ApiError | undefined {
  const { url, httpVersion, headers } = request.raw;
  if (headers.host === undefined && httpVersion === '1.1') return invalid('The header `Host` is missing.');
  if (url === undefined) return undefined;
  if (url.length > longestUrl) return invalid(`The address is longer than ${longestUrl} characters.`);
  const question = url.indexOf('?');
  if (question >= 0 && url.includes('%', question) && !decodes(url.slice(question + 1)))
    return invalid('The query holds a broken percent-escape or a null character.');
  return undefined;
}
