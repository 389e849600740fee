/**
 * Knows which calls are under way, so that a stop can wait for them. A handler counts until it is done even when its
 * caller has gone, because its work goes on; an answer counts until its last byte is sent.
 */
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors.ts';
import type { App } from './app.ts';

export class Traffic {
  #running = 0;
  #draining = false;
  #announced = false;
  readonly #stopping = new AbortController();
  #idle: (() => void) | undefined;

  /** Whether it drains, or is about to. */
  get willDrain(): boolean {
    return this.#announced;
  }

  announceDrain(): void {
    this.#announced = true;
  }

  /** For answers without an end of their own: from now on they end. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  watch(app: App): void {
    app.addHook('onRequest', async (request, reply) => {
      this.#enter();
      reply.raw.once('close', () => this.#leave());
      if (!this.#draining) return;
      reply.header('connection', 'close');
      if (changesSomething(request)) throw shuttingDown();
    });
    app.addHook('onRoute', (route) => {
      const { handler } = route;
      route.handler = async function (request, reply) {
        traffic.#enter();
        try {
          return await handler.call(this, request, reply);
        } finally {
          traffic.#leave();
        }
      };
    });
    const traffic = this;
  }

  /** From now on nothing new is begun. Returns when all calls are done, or after the grace time. */
  async drain(graceMs: number): Promise<void> {
    this.#announced = true;
    this.#draining = true;
    this.#stopping.abort();
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    const timer = setTimeout(resolve, graceMs);
    await promise;
    clearTimeout(timer);
  }

  #enter(): void {
    this.#running++;
  }

  #leave(): void {
    if (--this.#running === 0) this.#idle?.();
  }
}

const changesSomething = ({ method, url }: FastifyRequest): boolean =>
  url.startsWith('/v1/') && method !== 'GET' && method !== 'HEAD';

export const shuttingDown = (): ApiError =>
  new ApiError('SERVICE_SHUTTING_DOWN', 'The service is stopping and takes no new work. Try again shortly.', {
    headers: { 'retry-after': '5' },
  });
