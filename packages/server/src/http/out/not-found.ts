/** Says whether a path is unknown, or known but not with this method. Collects the routes as they are declared. */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { App } from '../wire/wire.ts';

export function collectRoutes(app: App): (request: FastifyRequest) => ApiError {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    known.set(url, entry);
    for (const name of [method].flat()) entry.methods.add(name);
  });
  return (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods]);
    if (methods.length === 0)
      return new ApiError(
        'ROUTE_NOT_FOUND',
        'There is nothing at this path. `GET /openapi.json` lists what there is.',
      );
    const allow = [...new Set(methods)].sort().join(', ');
    return new ApiError(
      'METHOD_NOT_ALLOWED',
      `This path does not have the method ${request.method}, only ${allow}.`,
      {
        details: { allow: allow.split(', ') },
        headers: { allow },
      },
    );
  };
}

export const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replace(/[.+?^$(){}|[\]\\]/g, '\\$&')
      .replace('*', '.*')
      .replace(/:[A-Za-z]+/g, '[^/]+')}$`,
  );
