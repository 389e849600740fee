/**
 * A client of the pipe for the service's own use in a person's name: behind the same filter as any other client, so that
 * what a person asks for can do no more than what a client could.
 */
import type { CdpClient, Running } from '../../browsers/browsers.ts';
import { type Share, shareOf } from '../../kit/loop-share.ts';

export interface RemoteEvent {
  method: string;
  params: Record<string, unknown>;
  sessionId?: string;
}

interface Waiting {
  /** Undefined: it may wait for as long as its session lasts. */
  timer: NodeJS.Timeout | undefined;
  sessionId: string | undefined;
  resolve(result: Record<string, unknown>): void;
  reject(error: Error): void;
}

export class RefusedError extends Error {}

/** A page in a loop, in a dialog or gone answers late or never; what it was sent is done when it can be. */
export class NoAnswerError extends RefusedError {}

const answerMs = 5000;
const mostWaiting = 256;

export class Remote {
  readonly #waiting = new Map<number, Waiting>();
  /** A text that a person pastes is written several times over. */
  readonly #share: Share;
  #client: CdpClient | undefined;
  #lastId = 0;
  #ended = false;

  private constructor(share: Share) {
    this.#share = share;
  }

  /** `onEnd`: it was ended by the other side. */
  static async open(
    { live, projectId }: Running,
    hear: {
      onEvent(event: RemoteEvent): void;
      /** A message that is read elsewhere, without being parsed here. */
      takes?(message: Buffer): boolean;
      onEnd(): void;
    },
  ): Promise<Remote> {
    const remote = new Remote(shareOf(projectId));
    remote.#client = await live.openClient({
      onMessage: (message) => {
        if (!hear.takes?.(message)) remote.#hear(JSON.parse(message.toString()), hear.onEvent);
      },
      onClose: () => {
        remote.#end();
        hear.onEnd();
      },
    });
    return remote;
  }

  /** `patient`: the answer comes when something happens in the page, whenever that is. */
  send(
    method: string,
    params: Record<string, unknown> = {},
    sessionId?: string,
    { patient = false } = {},
  ): Promise<Record<string, unknown>> {
    if (this.#ended) return Promise.reject(new RefusedError('The browser is gone.'));
    if (this.#waiting.size >= mostWaiting)
      return Promise.reject(new RefusedError('Too much waits for the page already.'));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.#waiting.delete(id);
        reject(new NoAnswerError('The page does not answer at the moment.'));
      };
      const timer = patient ? undefined : setTimeout(late, answerMs).unref();
      this.#waiting.set(id, { resolve, reject, timer, sessionId });
      this.#share.charge(() => {
        this.#client?.send(Buffer.from(JSON.stringify({ id, method, params, sessionId })));
      });
    });
  }

  async close(): Promise<void> {
    this.#end();
    await this.#client?.close();
  }

  #hear(
    message: RemoteEvent & { id?: number; result?: Record<string, unknown>; error?: { message: string } },
    onEvent: (event: RemoteEvent) => void,
  ): void {
    if (message.id === undefined) {
      if (message.method === 'Target.detachedFromTarget') this.#forget(String(message.params.sessionId));
      onEvent(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    clearTimeout(waiting?.timer);
    if (message.error) waiting?.reject(new RefusedError(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }

  /** Nothing is answered any more in a session that is gone. */
  #forget(sessionId: string): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.sessionId !== sessionId) continue;
      this.#waiting.delete(id);
      clearTimeout(waiting.timer);
      waiting.reject(new RefusedError('The page is gone.'));
    }
  }

  #end(): void {
    this.#ended = true;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new RefusedError('The browser is gone.'));
    }
    this.#waiting.clear();
  }
}
