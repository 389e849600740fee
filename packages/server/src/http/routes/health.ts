/** Alive is not ready: the first touches nothing but this process, the second checks everything a browser needs. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Access, Principal } from '../../access/access.ts';
import { SharedLook } from '../../kit/shared-look.ts';
import { answers } from '../contract/contract.ts';
import type { Strangers } from '../gate/gate.ts';
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

interface HealthParts {
  access: Access;
  readiness: Readiness;
  version: string;
  askers: Strangers;
  isDraining: () => boolean;
}

/** How old what strangers are told may be: it takes a query, and looks at disks. */
const keptMs = 1000;

export function healthRoutes(app: App, parts: HealthParts): void {
  const looks = new SharedLook(() => parts.readiness.check(), keptMs);
  app.route({
    method: 'GET',
    url: '/health',
    config: { quiet: true },
    onRequest: parts.askers.enterAtOnce,
    schema: {
      operationId: 'HealthController_live',
      summary: 'Liveness',
      description: 'Answers as long as the process does, also while it drains.',
      tags: ['Health'],
      security: [],
      response: answers({ 200: { description: 'Alive.', schema: livenessSchema } }, ['RATE_LIMITED'], []),
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
    onRequest: (request, reply) => enter(parts, request, reply),
    schema: {
      operationId: 'HealthController_ready',
      summary: 'Readiness',
      description:
        'Whether the service has all that it needs; for callers with a key, with a check for each thing. A service that is full is ready: it says so in `checks.capacity.full`, and refuses or queues new browsers itself. Callers with a key are told how it is now, all others how it was a second ago at most.',
      tags: ['Health'],
      security: [],
      response: answers(
        {
          200: { description: 'Ready.', schema: readySchema },
          503: { description: 'Not ready, or draining before a stop.', schema: readySchema },
        },
        ['RATE_LIMITED', 'INTERNAL'],
        [],
      ),
    },
    handler: async (request, reply) => {
      const known = request.principal !== undefined;
      const checks = await (known ? looks.now() : looks.lately());
      const ok = Object.values(checks).every((check) => check.ok);
      const status = parts.isDraining() ? 'draining' : ok ? 'ready' : 'not_ready';
      return reply.code(status === 'ready' ? 200 : 503).send({ status, ...(known && { checks }) });
    },
  });
}

/** What the machine is made of is no stranger's business; a database that is away answers as for a stranger. */
async function enter(
  { access, askers }: HealthParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const principal = await principalOf(access, request.headers.authorization);
  if (principal) request.principal = principal;
  // With a key as without one: a key that has used up its requests makes the service no less ready.
  await askers.enterAtOnce(request, reply);
}

const principalOf = async (
  access: Access,
  authorization: string | undefined,
): Promise<Principal | undefined> =>
  authorization === undefined ? undefined : access.authenticate(authorization).catch(() => undefined);
