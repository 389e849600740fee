/**
 * Reads JSON bodies, and only those:
 *
 *   bytes → nesting and values counted → strict UTF-8, parsed in pieces → no names or characters that hurt later
 *
 * They are counted before parsing, because a few megabytes of brackets become gigabytes of objects, and millions of small
 * values take seconds that belong to all callers. Also what is let through takes its time, hence the pieces.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import { atOnce } from '../../kit/at-once.ts';
import { hasMoreInSteps, isDeeperInSteps } from '../../kit/json-depth.ts';
import { parseInPieces } from '../../kit/json-pieces.ts';
import { inSteps, shareOf } from '../../kit/loop-share.ts';
import type { App } from '../wire/wire.ts';
import { readInTurnsOf } from './bytes-in-turns.ts';
import { type Issue, pathText, validationFailed } from './validate.ts';

const deepest = 64;
const usualValues = 100_000;
const largeBytes = 256 * 1024;

const invalidJson = (message: string): ApiError => new ApiError('INVALID_JSON', message);

const forbiddenNames = new Set(['__proto__', 'constructor']);

/** Neither database can hold these characters, and no page or header needs them. */
const reasonAgainst = (text: string): string | undefined => {
  if (text.includes('\0')) return 'holds a null character';
  return text.isWellFormed() ? undefined : 'holds half of a surrogate pair';
};

/** After so many values another step begins. */
const stepValues = 2000;

function* harmfulInSteps(root: unknown): Generator<undefined, Issue | undefined> {
  const waiting: { value: unknown; path: PropertyKey[] }[] = [{ value: root, path: [] }];
  let seen = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string') {
      const reason = reasonAgainst(value);
      if (reason) return { path: pathText(path), reason };
    }
    if (value === null || typeof value !== 'object') continue;
    for (const name of Object.keys(value)) {
      if (++seen % stepValues === 0) yield;
      if (forbiddenNames.has(name))
        return { path: pathText([...path, name]), reason: 'a name that is not allowed' };
      const reason = reasonAgainst(name);
      if (reason) return { path: pathText(path), reason: `a field name ${reason}` };
      const item = (value as Record<string, unknown>)[name];
      waiting.push({ value: item, path: [...path, Array.isArray(value) ? Number(name) : name] });
    }
  }
  return undefined;
}

export const findHarmful = (root: unknown): Issue | undefined => atOnce(harmfulInSteps(root));

/** A harmful value has one of these in its text; without them the walk through the value is not needed. */
const suspicious = /\\u|__proto__|constructor/;

/** Step by step: each takes a millisecond or so, whatever a body of the largest size holds. */
function* reading(bytes: Uint8Array, mostValues: number): Generator<undefined, unknown> {
  if (yield* hasMoreInSteps(bytes, mostValues))
    throw invalidJson(`The body holds more than ${mostValues} values. Send less at once, or upload a file.`);
  if (yield* isDeeperInSteps(bytes, deepest))
    throw invalidJson(`The body is nested deeper than ${deepest} levels.`);
  let isSuspicious = false;
  const look = (text: string): void => {
    isSuspicious ||= suspicious.test(text);
  };
  const value = yield* orInvalid(parseInPieces(bytes, look));
  const harm = isSuspicious ? yield* harmfulInSteps(value) : undefined;
  if (harm) throw validationFailed('body', [harm]);
  return value;
}

function* orInvalid<T>(steps: Generator<undefined, T>): Generator<undefined, T> {
  try {
    return yield* steps;
  } catch {
    throw invalidJson('The body is not valid JSON in UTF-8.');
  }
}

export const readJson = (bytes: Uint8Array, mostValues = usualValues): unknown =>
  atOnce(reading(bytes, mostValues));

/** Of large ones in steps, within the time of the caller's project. */
export async function readJsonOf(request: FastifyRequest, bytes: Uint8Array): Promise<unknown> {
  const { mostValues = usualValues } = request.routeOptions.config;
  if (bytes.length <= largeBytes) return readJson(bytes, mostValues);
  const share = shareOf(request.principal?.projectId ?? 'strangers');
  return inSteps(share, reading(bytes, mostValues));
}

const isUtf8 = (contentType: string | undefined): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType ?? '')?.[1];
  return charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset);
};

export function acceptJsonOnly(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      if (!isUtf8(request.headers['content-type']))
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The body must be in UTF-8.');
      if (bytes.length > 0) return readJsonOf(request, bytes);
      const { schema, config } = request.routeOptions;
      if (schema?.body === undefined || config.bodyOptional) return undefined;
      throw invalidJson('The body is empty. Send `{}`, or leave `Content-Type` out.');
    },
  );
  app.addHook('onRequest', async ({ headers }) => {
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
      throw new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'Compressed bodies are not accepted. Leave `Content-Encoding` out.',
      );
  });
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (!request.routeOptions.config.upload) readInTurnsOf(request);
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.upload) return;
    if (request.routeOptions.schema?.body !== undefined) {
      // No body at all means the same as an empty object; the schema then names what is missing.
      if (request.body === undefined) request.body = {};
      return;
    }
    if (request.body === undefined || request.body === null) return;
    const names = typeof request.body === 'object' ? Object.keys(request.body).slice(0, 50) : [''];
    if (names.length > 0)
      throw validationFailed(
        'body',
        names.map((path) => ({ path: path.slice(0, 200), reason: 'this call takes no body' })),
      );
  });
}
