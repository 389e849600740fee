/** Alive is not ready: the first touches nothing but this process, the second checks everything a browser needs. */
import { z } from 'zod';
import type { Access } from '../../access/access.ts';
import { answers } from '../contract/contract.ts';
import type { App } from '../wire/wire.ts';

export interface Check {
  ok: boolean;
  detail: string;
  [more: string]: unknown;
}

export interface Readiness {
  check(): Promise<Record<'store' | 'chromium' | 'sandbox' | 'disk' | 'capacity', Check> & { lease?: Check }>;
}

const livenessSchema = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string(),
    uptime: z.int().meta({ description: 'Milliseconds since the start of the process.' }),
  })
  .meta({ id: 'Health' });

const checkSchema = z.looseObject({ ok: z.boolean(), detail: z.string() }).meta({ id: 'HealthCheck' });

const readySchema = z
  .strictObject({
    status: z.enum(['ready', 'not_ready', 'draining']),
    checks: z
      .strictObject({
        store: checkSchema,
        chromium: checkSchema,
        sandbox: checkSchema,
        disk: checkSchema,
        capacity: checkSchema,
        lease: checkSchema.optional().meta({ description: 'Of a node of a cluster.' }),
      })
      .optional()
      .meta({ description: 'For callers with a key.' }),
  })
  .meta({ id: 'Readiness' });

export function healthRoutes(
  app: App,
  parts: { access: Access; readiness: Readiness; version: string; isDraining: () => boolean },
): void {
  app.route({
    method: 'GET',
    url: '/health',
    config: { quiet: true },
    schema: {
      operationId: 'HealthController_live',
      summary: 'Liveness',
      description: 'Answers as long as the process does, also while it drains.',
      tags: ['Health'],
      security: [],
      response: answers({ 200: { description: 'Alive.', schema: livenessSchema } }, [], []),
    },
    handler: async () => ({
      status: 'ok',
      version: parts.version,
      uptime: Math.round(process.uptime() * 1000),
    }),
  });

  app.route({
    method: 'GET',
    url: '/health/ready',
    config: { quiet: true },
    schema: {
      operationId: 'HealthController_ready',
      summary: 'Readiness',
      description:
        'Whether the service has all that it needs; for callers with a key, with a check for each thing. A service that is full is ready: it says so in `checks.capacity.full`, and refuses or queues new browsers itself.',
      tags: ['Health'],
      security: [],
      response: answers(
        {
          200: { description: 'Ready.', schema: readySchema },
          503: { description: 'Not ready, or draining before a stop.', schema: readySchema },
        },
        ['INTERNAL'],
        [],
      ),
    },
    handler: async (request, reply) => {
      const [checks, known] = await Promise.all([
        parts.readiness.check(),
        isKnown(parts.access, request.headers.authorization),
      ]);
      const ok = Object.values(checks).every((check) => check.ok);
      const status = parts.isDraining() ? 'draining' : ok ? 'ready' : 'not_ready';
      return reply.code(status === 'ready' ? 200 : 503).send({ status, ...(known && { checks }) });
    },
  });
}

/** What the machine is made of is no stranger's business; a database that is away answers as for a stranger. */
const isKnown = (access: Access, authorization: string | undefined): Promise<boolean> =>
  authorization === undefined
    ? Promise.resolve(false)
    : access.authenticate(authorization).then(
        () => true,
        () => false,
      );
