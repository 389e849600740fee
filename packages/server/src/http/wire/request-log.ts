/** One log line for each request, and callbacks for the observer that counts them. */
import type { Log } from '../../kit/log.ts';
import type { App } from './app.ts';

export interface HttpObserver {
  /** A request has its answer; the route is its pattern, absent where there is none. */
  onAnswered?(answer: { method: string; route: string | undefined; status: number; ms: number }): void;
  /** A request was refused, or failed. */
  onError?(code: string): void;
}

/** The line has the route's pattern instead of the address, and never a header. */
export function logRequests(app: App, log: Log, observer: HttpObserver = {}): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedAt = performance.now();
    reply.raw.once('close', () => {
      const { method } = request;
      const route = request.is404 ? undefined : request.routeOptions.url;
      const status = reply.raw.statusCode;
      const ms = performance.now() - startedAt;
      observer.onAnswered?.({ method, route, status, ms });
      const fields = {
        requestId: request.id,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        keyId: request.principal?.keyId,
        // for a socket this is the handshake
        hungUp: reply.raw.writableFinished || reply.raw.statusCode === 101 ? undefined : true,
      };
      if (request.routeOptions.config.quiet) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
  });
}
