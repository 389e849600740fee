import type { Log } from '../kit/log.ts';
import type { App } from './app.ts';

/** One line per finished request. The route's pattern instead of the address, and never a header. */
export function logRequests(app: App, log: Log): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedAt = performance.now();
    reply.raw.once('close', () => {
      const fields = {
        requestId: request.id,
        method: request.method,
        route: request.is404 ? undefined : request.routeOptions.url,
        status: reply.raw.statusCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        keyId: request.principal?.keyId,
        // of a socket this is the beginning
        hungUp: reply.raw.writableFinished || reply.raw.statusCode === 101 ? undefined : true,
      };
      if (request.routeOptions.config.quiet) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
  });
}
