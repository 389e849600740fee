/** The numbers of the service, in a format that the reader accepts. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { onRequestAsyncHookHandler } from 'fastify';
import type { Config } from '../../config.ts';
import { answers } from '../contract/contract.ts';
import type { Limit, Strangers } from '../gate/gate.ts';
import type { App } from '../wire/wire.ts';

export interface MetricsPage {
  render(accept: string | undefined): Promise<{ type: string; text: string }>;
}

export interface MetricsParts {
  config: Config;
  metrics: MetricsPage;
  auth: onRequestAsyncHookHandler;
  limit: Limit;
  askers: Strangers;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The collector's own token opens this path and no other; every other caller needs an admin key. */
function guard({ config, auth, limit, askers }: MetricsParts): onRequestAsyncHookHandler {
  if (config.metrics === 'open') return askers.enter;
  const expected = config.metricsToken && digest(`Bearer ${config.metricsToken}`);
  return async function (request, reply) {
    const given = request.headers.authorization;
    if (expected && given && timingSafeEqual(expected, digest(given))) return limit(request, reply);
    return auth.call(this, request, reply);
  };
}

export function metricsRoutes(app: App, parts: MetricsParts): void {
  const { config, metrics } = parts;
  if (config.metrics === 'off') return;
  const isOpen = config.metrics === 'open';
  app.addHook('onRequest', guard(parts));
  app.route({
    method: 'GET',
    url: '/metrics',
    config: { quiet: true, role: 'admin' },
    schema: {
      operationId: 'MetricsController_read',
      summary: 'Metrics',
      description:
        'The numbers of this node for Prometheus: as text, or as OpenMetrics where `Accept` names it. They cover all projects, but name none. For admin keys and for the token of `BROWSERD_METRICS_TOKEN`; `BROWSERD_METRICS` opens it for everybody, or turns it off.',
      tags: ['Health'],
      ...(isOpen && { security: [] }),
      response: answers(
        { 200: { description: 'The metrics.', type: 'text/plain' } },
        isOpen ? [] : ['UNAUTHENTICATED', 'FORBIDDEN'],
        ['INVALID_REQUEST', 'RATE_LIMITED', 'INTERNAL', 'STORE_UNAVAILABLE'],
      ),
    },
    handler: async ({ headers }, reply) => {
      const { type, text } = await metrics.render(headers.accept);
      return reply.type(type).send(text);
    },
  });
}
