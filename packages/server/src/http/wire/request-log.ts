/** What the door tells of itself. */
import type { Log } from '../../kit/log.ts';
import type { App } from './app.ts';

export interface HttpNews {
  /** A request has its answer; the route is its pattern, absent where there is none. */
  onAnswered?(answer: { method: string; route: string | undefined; status: number; ms: number }): void;
  /** A request was refused, or failed. */
  onError?(code: string): void;
}

/** One line per finished request. The route's pattern instead of the address, and never a header. */
export function logRequests(app: App, log: Log, news: HttpNews = {}): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedAt = performance.now();
    reply.raw.once('close', () => {
      const { method } = request;
      const route = request.is404 ? undefined : request.routeOptions.url;
      const status = reply.raw.statusCode;
      const ms = performance.now() - startedAt;
      news.onAnswered?.({ method, route, status, ms });
      const fields = {
        requestId: request.id,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        keyId: request.principal?.keyId,
        // of a socket this is the beginning
        hungUp: reply.raw.writableFinished || reply.raw.statusCode === 101 ? undefined : true,
      };
      if (request.routeOptions.config.quiet) log.debug(fields, 'request');
      else log.info(fields, 'request');
    });
  });
}
