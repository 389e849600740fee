/**
 * Which calls work on which browser, so that it can be handed over to another node between two of them: those under way
 * are waited for, and those that come meanwhile are held until it is known where the browser is.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';

interface Calls {
  underWay: number;
  /** Called when the last one is over. */
  idle?: () => void;
  /** Resolves when calls may begin again. */
  held?: Promise<void>;
}

const ofBrowser = /^\/v1\/browsers\/:id(?:\/|$)/;

/** The browser that the call needs; what any node answers, such as its events, needs none. */
function browserOf({ routeOptions: { url = '', config }, params }: FastifyRequest): string | undefined {
  return ofBrowser.test(url) && config.answers !== 'anywhere' ? (params as { id: string }).id : undefined;
}

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

interface Call {
  handling: 'not begun' | 'begun' | 'done';
  closed: boolean;
  tell(): void;
}

/** Work goes on when its caller has gone, and an answer in pieces is part of the call; a socket, once open, is no call. */
function isOver(request: FastifyRequest, { handling, closed }: Call): boolean {
  if (handling === 'begun') return false;
  return closed || (handling === 'done' && isRead(request));
}

export class BrowserCalls {
  readonly #calls = new Map<string, Calls>();
  readonly #open = new WeakMap<FastifyRequest, Call>();

  /** Before the routes are added. */
  watch(app: App): void {
    const note = (request: FastifyRequest, handling: Call['handling']): void => {
      const call = this.#open.get(request);
      if (!call) return;
      call.handling = handling;
      call.tell();
    };
    app.addHook('onRoute', (route) => {
      if (!ofBrowser.test(route.url)) return;
      const { handler } = route;
      route.handler = async function (request, reply) {
        note(request, 'begun');
        try {
          return await handler.call(this, request, reply);
        } finally {
          note(request, 'done');
        }
      };
    });
  }

  /** A hook: the call begins here. One on a browser that is being handed over waits until that is done. */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const id = browserOf(request);
    if (id === undefined) return;
    for (let held = this.#calls.get(id)?.held; held; held = this.#calls.get(id)?.held) await held;
    if (reply.raw.closed) return;
    const call: Call = {
      handling: 'not begun',
      closed: false,
      tell: () => {
        if (isOver(request, call) && this.#open.delete(request)) this.#leave(id);
      },
    };
    this.#of(id).underWay++;
    this.#open.set(request, call);
    reply.raw.once('close', () => {
      call.closed = true;
      call.tell();
    });
  }

  /**
   * From now on no call on the browser begins, until the return value is called. Resolves when none is under way any more,
   * or after the grace time.
   */
  async hold(id: string, graceMs: number): Promise<() => void> {
    const calls = this.#of(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    calls.held = promise;
    if (calls.underWay > 0) {
      const idle = Promise.withResolvers<void>();
      calls.idle = idle.resolve;
      const timer = setTimeout(idle.resolve, graceMs);
      await idle.promise;
      clearTimeout(timer);
    }
    return () => {
      if (calls.held === promise) calls.held = undefined;
      this.#forgetIfDone(id);
      resolve();
    };
  }

  #leave(id: string): void {
    const calls = this.#of(id);
    if (--calls.underWay === 0) calls.idle?.();
    this.#forgetIfDone(id);
  }

  #of(id: string): Calls {
    const known = this.#calls.get(id) ?? { underWay: 0 };
    this.#calls.set(id, known);
    return known;
  }

  #forgetIfDone(id: string): void {
    const calls = this.#calls.get(id);
    if (calls && calls.underWay === 0 && !calls.held) this.#calls.delete(id);
  }
}
