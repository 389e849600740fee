import { readFileSync } from 'node:fs';
import { newId } from '../../src/kit/id.ts';

/** Every operation that openapi.json names, so that what is true of all routes is asked of new ones too. */
export interface Route {
  method: string;
  /** With its parameters in braces. */
  path: string;
  params: string[];
  /** A body that the route accepts, where the document shows one. */
  example: unknown;
  adminOnly: boolean;
  /** Only a WebSocket gets further than 426 there, whatever the id. */
  socketOnly: boolean;
}

interface Operation {
  security?: Record<string, unknown>[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Record<string, { description: string }>;
}

const { paths } = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

export const protectedRoutes: Route[] = Object.entries(paths)
  .filter(([path]) => path.startsWith('/v1/') || path === '/metrics')
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses, security }]) => ({
      method: method.toUpperCase(),
      path,
      params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string),
      example: requestBody?.content['application/json']?.example,
      socketOnly: '426' in responses,
      // Where a signed token is taken, it is tokens that are refused so; of the log of requests, what is hidden in it; of
      // fonts, members where there are no boxes.
      adminOnly:
        !/\/(?:network|har|fonts)(?:\/|$)/.test(path) &&
        !security?.some((each) => 'token' in each) &&
        (responses[403]?.description.includes('`FORBIDDEN`') ?? false),
    })),
  );

export const fillIn = ({ path }: Route, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? unknownId(name));

/** An id of the right shape that nothing has: `fileId` → `file_…`. */
export const unknownId = (param: string): string =>
  newId((param === 'id' ? 'browser' : param.replace(/Id$/, '')) as Parameters<typeof newId>[0]);
