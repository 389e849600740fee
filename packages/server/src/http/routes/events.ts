/** Events of a project or of one browser, as a list or as Server-Sent Events. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access } from '../../access/access.ts';
import type { Browsers } from '../../browsers/browsers.ts';
import type { Events } from '../../events/events.ts';
import { type BrowserEvent, eventFilters, eventSchema } from '../../events/schema.ts';
import { answers, pageOf, pageQuery } from '../contract/contract.ts';
import { sendStream, wantsStream } from '../out/out.ts';
import type { App } from '../wire/wire.ts';
import { browserExample } from './browser-examples.ts';

const eventExample: BrowserEvent = {
  id: 'event_01ja9q4m8h2f7t3k5w6x8y0z1a',
  type: 'browser.ready',
  browserId: browserExample.id,
  at: browserExample.createdAt,
  seq: 42,
  data: { epoch: 1 },
};

const querystring = z.strictObject({ ...eventFilters, ...pageQuery });
type Query = z.output<typeof querystring>;

const live = `With \`Accept: text/event-stream\` the answer is a live stream of Server-Sent Events instead: \`id\` is the event's \`seq\`, \`event\` its type, \`data\` the event as JSON. It starts from now, or, after \`Last-Event-ID\` (or \`lastEventId\`), with everything that came since, in order, each once. An unknown last event id is refused with \`INVALID_CURSOR\`. Comments keep the line alive; \`event: end\` with an error as \`data\` says why the service ends a stream (it stops, the key was revoked, the browser's record is gone). Reconnect and go on after the last \`id\`.`;

const codes = ['INVALID_CURSOR', 'SERVICE_SHUTTING_DOWN'] as const;
const page = {
  200: {
    description: 'A page of events, or the stream.',
    schema: pageOf(eventSchema, 'EventPage'),
    type: 'text/event-stream',
  },
};
const config = {
  answers: 'anywhere',
  examples: { response: { items: [eventExample], limit: 20, hasMore: false } },
} as const;

export interface EventParts {
  events: Events;
  browsers: Browsers;
  access: Access;
  heartbeatMs: number;
  stopping: AbortSignal;
}

/** Lists and live streams, of one browser and of the whole project. */
export function eventRoutes(app: App, { events, browsers, access, ...streaming }: EventParts): void {
  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { type, ...query }: Query,
    browserId?: string,
  ): Promise<unknown> => {
    const { projectId } = request.principal;
    const exists = async () => browserId && browsers.get(projectId, browserId);
    await exists();
    if (!wantsStream(request)) return events.list(projectId, { ...query, type, browserId });
    return sendStream(request, reply, {
      ...streaming,
      follow: (lastEventId) => events.follow(projectId, { browserId, type, lastEventId }),
      check: async () => {
        await access.authenticate(request.headers.authorization);
        await exists();
      },
    });
  };

  app.route({
    method: 'GET',
    url: '/v1/events',
    config,
    schema: {
      operationId: 'EventController_list',
      summary: 'List events, or follow them live',
      description: `The events of all browsers of the project, kept as long as the record of their browser.\n\n${live}`,
      tags: ['Events'],
      querystring,
      response: answers(page, codes),
    },
    handler: async (request, reply) => answer(request, reply, request.query),
  });

  app.route({
    method: 'GET',
    url: '/v1/browsers/:id/events',
    config,
    schema: {
      operationId: 'BrowserEventController_list',
      summary: 'List events of a browser, or follow them live',
      description: `The events of one browser, also of a closed one for as long as its record is kept.\n\n${live}`,
      tags: ['Events'],
      params: z.object({ id: z.string().meta({ examples: [browserExample.id] }) }),
      querystring,
      response: answers(page, [...codes, 'BROWSER_NOT_FOUND']),
    },
    handler: async (request, reply) => answer(request, reply, request.query, request.params.id),
  });
}
